/** The `code` of a failed system call, such as `ENOENT`; undefined for any other error. */
export function systemCode(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !('code' in cause)) return undefined;
  return typeof cause.code === 'string' ? cause.code : undefined;
}

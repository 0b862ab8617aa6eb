/** Makes what a layer does not do fail. What a test needs of it says which layer it belongs to. */
export function refuse(
  owner: object,
  method: string,
  what: string,
  { but }: { but?: (args: readonly unknown[]) => boolean } = {},
): void {
  const original = Reflect.get(owner, method) as (...args: unknown[]) => unknown;
  Reflect.set(owner, method, (...args: unknown[]) => {
    if (but?.(args)) return original(...args);
    throw new Error(`A test of this layer never ${what}: CONTRIBUTING says to which it belongs ("Tests").`);
  });
}

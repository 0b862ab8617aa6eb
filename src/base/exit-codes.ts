/** The exit codes; frozen, since scripts rely on them (DESIGN.md, "Exit codes"). */
export const exitCodes = {
  ok: { code: 0, meaning: 'success, including an empty list or a reader that closed the pipe' },
  bug: { code: 1, meaning: 'a bug in docs' },
  usage: { code: 2, meaning: 'usage error, or an unsafe action was refused; nothing was sent' },
  partial: { code: 3, meaning: 'partial: some items failed or were not attempted' },
  unauthenticated: { code: 4, meaning: 'no token, or 401 from the platform' },
  forbidden: { code: 5, meaning: '403' },
  'not-found': { code: 6, meaning: '404, 410' },
  conflict: { code: 7, meaning: '409, 412, 423' },
  refused: { code: 8, meaning: 'other 4xx: the platform refused the input' },
  'rate-limited': { code: 9, meaning: 'the rate limit lasts longer than the deadline' },
  'server-error': { code: 10, meaning: 'server error (5xx) after retries' },
  network: { code: 11, meaning: 'network: DNS, connect, TLS, proxy, reset' },
  deadline: { code: 12, meaning: 'the deadline passed' },
  'local-io': { code: 13, meaning: 'local I/O error: disk, permission, lock' },
  configuration: { code: 14, meaning: 'invalid or untrusted configuration' },
  'bad-response': { code: 15, meaning: 'invalid or unsafe response' },
  'unknown-outcome': { code: 16, meaning: 'a write was sent and its outcome is unknown' },
  findings: { code: 17, meaning: 'a check ran and found something (--fail-on)' },
  'job-failed': { code: 18, meaning: 'a job on the platform failed, such as processing a spec' },
  interrupted: { code: 130, meaning: 'SIGINT, by re-raising the signal' },
  terminated: { code: 143, meaning: 'SIGTERM, by re-raising the signal' },
} as const satisfies Record<string, { code: number; meaning: string }>;

export type ExitName = keyof typeof exitCodes;

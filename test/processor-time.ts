/**
 * The time that the processor has spent on this process, in milliseconds. Limits on it hold on a busy machine, where
 * a process waits for its turn; only one test runs in a process at a time.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** What was merged, or is the copy's own: whoever works in more changes leaves these as they are. */
const settled = new WeakSet<object>();

/** Whether a value has the changes of the copy in it. */
export function isSettled(value: object): boolean {
  return settled.has(value);
}

/** Marks a value that has the changes of the copy in it. */
export function settle<T>(value: T): T {
  if (typeof value === 'object' && value !== null) settled.add(value);
  return value;
}

/** Marks a value of the copy itself with all that is in it. */
export function settleAll<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) settleAll(member);
  return settle(value);
}

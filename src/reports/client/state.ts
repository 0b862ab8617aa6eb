/**
 * What of a page is shown, in its address after `#`: words that are sought (`q`), values that are chosen by their label
 * (`Role=admin`), and orders (`sort.members=-Name`). So a view can be sent to someone, reloaded, and left by the back button.
 * An address that names a part or a row (`#members`) leads there.
 */
export type State = ReadonlyMap<string, string>;

export function readState(): State {
  const hash = window.location.hash.slice(1);
  return new Map(hash.includes('=') ? [...new URLSearchParams(hash)] : []);
}

/** The id that an address leads to; empty where it holds a state. */
export function target(): string {
  const hash = window.location.hash.slice(1);
  if (hash.includes('=')) return readState().get('at') ?? '';
  try {
    return decodeURIComponent(hash);
  } catch {
    return '';
  }
}

/**
 * Changes one thing of the state.
 * @param step whether the back button takes it back: not for each letter that is typed
 */
export function change(key: string, value: string | undefined, step: boolean): void {
  const state = new URLSearchParams([...readState()]);
  if (value === undefined || value === '') state.delete(key);
  else state.set(key, value);
  const address = `#${state}`;
  if (address === window.location.hash) return;
  if (step) window.history.pushState(null, '', address);
  else window.history.replaceState(null, '', address);
}

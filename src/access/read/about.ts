import type { Subject } from '../../api/transport.js';

/** What a read of something that a person named is about: where it is not found, the error names its list. */
export function about(noun: 'space' | 'collection' | 'site' | 'member', id: string): { subject: Subject } {
  return { subject: { what: `${noun} ${id}`, listCommand: `docs ${noun}s list` } };
}

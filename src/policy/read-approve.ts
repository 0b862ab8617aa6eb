import { emailKey } from '../base/name.js';
import { parseSpan } from '../settings/duration.js';
import { keyKinds } from '../signing/keys.js';
import { supportedKey } from '../signing/ssh-signature.js';
import type { Approve, Policy } from './policy.js';
import type { PolicyMap } from './read-map.js';

const dayMs = 86_400_000;
/** Plans are kept no longer. */
const longestMs = 90 * dayMs;
const keys = ['by', 'from', 'remote', 'branch', 'valid', 'rehearse'] as const;

/** The key `approve`: who may approve a plan, and for how long that holds. */
export function readApprove(top: PolicyMap): Pick<Policy, 'approve'> {
  const map = top.map('approve', 'by: [...], valid: 24h');
  if (map === undefined) return {};
  map.onlyKnown(keys);
  const rehearse = map.flag('rehearse') === true;
  const validMs = readValid(map);
  const line = top.lineOf('approve');
  const from = map.text('from');
  if (from === undefined) {
    for (const key of ['remote', 'branch'])
      if (map.node(key) !== undefined)
        map.mistake(map.node(key), key, 'belongs to from: git, which is missing');
    if (map.node('by') === undefined)
      map.mistake(undefined, 'by', 'is missing; expected by: [{ email, key }], or from: git');
    return { approve: { line, by: readBy(map), validMs, ...(rehearse && { rehearse }) } };
  }
  map.oneOf('from', from, ['git']);
  if (map.node('by') !== undefined) map.mistake(map.node('by'), 'by', 'cannot stand beside from: git');
  // A key that is accepted and not kept would approve what nobody has seen rehearsed.
  if (rehearse)
    map.mistake(
      map.node('rehearse'),
      'rehearse',
      'cannot stand beside from: git: a merge does not say that the plan was rehearsed',
    );
  const [remote, branch] = [readName(map, 'remote'), readName(map, 'branch')];
  return { approve: { line, git: { remote, branch }, validMs } };
}

function readValid(map: PolicyMap): number {
  const text = map.text('valid');
  const node = map.node('valid');
  if (text === undefined || node === undefined) return dayMs;
  const found = parseSpan(text);
  if (found !== undefined && found > 0 && found <= longestMs) return found;
  map.mistake(node, 'valid', 'must be a span of time of at most 90d, such as 24h or 7d');
  return dayMs;
}

function readBy(map: PolicyMap): NonNullable<Approve['by']> {
  const people = map.maps('by', 'email: ada@acme.example, key: "ssh-ed25519 AAAA..."');
  if (map.node('by')?.type === 'list' && people.length === 0)
    map.mistake(map.node('by'), 'by', 'must name at least one person');
  const seen = new Set<string>();
  return people.map(({ map: person, place }) => {
    person.onlyKnown(['email', 'key']);
    const [email, key] = [person.text('email'), person.text('key')];
    if (email === undefined) person.mistake(person.node('email'), 'email', 'is missing');
    else if (!/^[^\s@]+@[^\s@]+$/.test(email))
      person.mistake(person.node('email'), 'email', 'must be an email');
    if (key === undefined)
      person.mistake(person.node('key'), 'key', 'is missing; expected an SSH public key');
    else checkKey(person, key);
    const named = `${email && emailKey(email)} ${key}`;
    if (seen.has(named)) map.add(place, { message: 'names a person and key again' });
    seen.add(named);
    return { email: email ?? '', key: key ?? '' };
  });
}

/** A key whose signatures cannot be verified would approve nothing, and nobody would be told why. */
function checkKey(person: PolicyMap, key: string): void {
  const blob = blobOf(key);
  const wrong =
    blob === undefined
      ? 'must be an SSH public key, such as "ssh-ed25519 AAAA..."'
      : `must be whole and of a supported kind: ${keyKinds}`;
  if (blob === undefined || supportedKey(blob) === undefined)
    person.mistake(person.node('key'), 'key', wrong);
}

const keyForm = /^((?:ssh|ecdsa|sk-ssh|sk-ecdsa)-[\w@.-]+) ([A-Za-z0-9+/]+={0,2})(?: .*)?$/;

/** A public key as OpenSSH writes it: its data begins with the length and name of its type. */
function blobOf(text: string): Buffer | undefined {
  const [, type = '', data = ''] = keyForm.exec(text.trim()) ?? [];
  const bytes = Buffer.from(data, 'base64');
  if (type === '' || bytes.length < 4) return undefined;
  const length = bytes.readUInt32BE(0);
  const names = length === type.length && bytes.toString('latin1', 4, 4 + length) === type;
  return names && bytes.length > 4 + length ? bytes : undefined;
}

function readName(map: PolicyMap, key: 'remote' | 'branch'): string {
  const text = map.text(key)?.trim() ?? '';
  const node = map.node(key);
  if (node === undefined) map.mistake(undefined, key, 'is missing; from: git takes a remote and a branch');
  // What begins with a dash would be an option of git.
  else if (text === '' || text.startsWith('-') || /[\s\p{Cc}]/u.test(text))
    map.mistake(node, key, `must be the ${key === 'remote' ? 'address of a remote' : 'name of a branch'}`);
  return text;
}

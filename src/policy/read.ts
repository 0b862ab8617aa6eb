import { isAbsolute, normalize } from 'node:path';
import type { AnyOperation } from '../api/operation.js';
import { operations } from '../api/resources/index.js';
import { DocsError, notSent, systemCode } from '../base/errors.js';
import { sha256 } from '../base/hash.js';
import type { BoundPolicy } from '../base/io.js';
import { emailKey } from '../base/name.js';
import { readOwnFile } from '../base/own-files.js';
import { shellWord } from '../base/shell-word.js';
import { listMistakes, type Mistake, withNearest } from '../files/yaml/node.js';
import { parseFile } from '../files/yaml/parse.js';
import { surenesses } from '../jobs/rule.js';
import { namedResources, resourceOfField } from '../model/resources.js';
import { parseSpan } from '../settings/duration.js';
import type { PolicyFile } from '../settings/settings.js';
import { keyKinds, wireString } from '../signing/keys.js';
import { supportedKey } from '../signing/ssh-signature.js';
import { anyValue, dangers, exposureWords, wordsMatch } from './decide.js';
import { type KnownField, knownFields } from './known-fields.js';
import { machineState } from './place.js';
import {
  type Approve,
  type Budget,
  type CommandTable,
  localWords,
  type Policy,
  type Protected,
  type Rule,
} from './policy.js';
import { PolicyMap } from './read-map.js';

const dayMs = 86_400_000;
/** Plans are kept no longer. */
const longestMs = 90 * dayMs;
const approveKeys = ['by', 'from', 'remote', 'branch', 'valid', 'rehearse', 'fourEyes'] as const;

/** The key `approve`: who may approve a plan, and for how long that holds. */
function readApprove(top: PolicyMap): Pick<Policy, 'approve'> {
  const map = top.map('approve', 'by: [...], valid: 24h');
  if (map === undefined) return {};
  map.onlyKnown(approveKeys);
  const rehearse = map.flag('rehearse') === true;
  const fourEyes = map.flag('fourEyes') === true;
  const validMs = readValid(map);
  const line = top.lineOf('approve');
  const from = map.text('from');
  if (from === undefined) {
    for (const key of ['remote', 'branch'])
      if (map.node(key) !== undefined)
        map.mistake(map.node(key), key, 'belongs to from: git, which is missing');
    if (map.node('by') === undefined)
      map.mistake(undefined, 'by', 'is missing; expected by: [{ email, key }], or from: git');
    const more = { ...(rehearse && { rehearse }), ...(fourEyes && { fourEyes }) };
    return { approve: { line, by: readBy(map), validMs, ...more } };
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
  if (fourEyes)
    map.mistake(
      map.node('fourEyes'),
      'fourEyes',
      'cannot stand beside from: git: the rules of the branch say who may merge',
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

const keyForm = /^((?:ssh|ecdsa|sk-ssh|sk-ecdsa)-[\w@.-]+) ([A-Za-z0-9+/]+={0,2})(?: .*)?$/;

/** A key whose signatures cannot be verified would approve nothing, and nobody would be told why. */
function checkKey(person: PolicyMap, key: string): void {
  const [, type = '', data = ''] = keyForm.exec(key.trim()) ?? [];
  // Its data begins with the length and name of its type, and more follows.
  const head = wireString(type);
  const blob = Buffer.from(data, 'base64');
  const isKey = type !== '' && blob.length > head.length && blob.subarray(0, head.length).equals(head);
  if (isKey && supportedKey(blob) !== undefined) return;
  const wrong = isKey
    ? `must be whole and of a supported kind: ${keyKinds}`
    : 'must be an SSH public key, such as "ssh-ed25519 AAAA..."';
  person.mistake(person.node('key'), 'key', wrong);
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

/** Why a rule is not one: the rest of a sentence about it. */
type RuleMistake = Pick<ReturnType<typeof withNearest>, 'message' | 'nearest'>;

const attribute = /^([A-Za-z][\w-]*(?:\.(?:[\w@-]+|\*))*)=(.+)$/s;
/** Words, and attributes whose value may be in double quotes. */
const token = /[^\s"]+="[^"]*"(?=\s|$)|\S+/g;

/**
 * Reads a rule: `read`, `files`, `programs`, or the words of commands with `*`, then attributes.
 * @param line in the file, from 1
 * @returns its mistakes where it names no command, field or value that there is
 */
function readRule(text: string, line: number, table: CommandTable): Rule | RuleMistake[] {
  const tokens = text.match(token) ?? [];
  const at = tokens.findIndex((one) => one.includes('='));
  const words = table.present(at < 0 ? tokens : tokens.slice(0, at));
  const rest = at < 0 ? [] : tokens.slice(at);
  if (words.length === 0) return [{ message: 'must begin with "read", a command or "*"' }];
  const attributes = rest.map((one) => attributeOf(one));
  if (words[0] === 'read' && words.length === 1) {
    if (rest.length > 0) return [{ message: 'takes no attributes after "read"' }];
    return { text, line, read: true, words: [], attributes: [] };
  }
  const local = localWords.find((word) => words.length === 1 && words[0] === word);
  if (local !== undefined) {
    if (rest.length > 0) return [{ message: `takes no attributes after "${local}"` }];
    return { text, line, local, words: [], attributes: [] };
  }
  const unknown = unknownWords(words, table);
  if (unknown !== undefined) return [unknown];
  const mistakes = attributes.flatMap((one, index) =>
    one === undefined ? [notAttribute(rest[index] ?? '')] : attributeMistakes(words, one, table),
  );
  if (mistakes.length > 0) return mistakes;
  return { text, line, words, attributes: attributes.filter((one) => one !== undefined) };
}

function attributeOf(text: string): Rule['attributes'][number] | undefined {
  const [, name, value = ''] = attribute.exec(text) ?? [];
  return name === undefined ? undefined : { name, value: /^"(.*)"$/s.exec(value)?.[1] ?? value };
}

function notAttribute(text: string): RuleMistake {
  return text.includes('=')
    ? { message: 'has an attribute that is not name=value; quote a value with spaces: title="Team Handbook"' }
    : { message: 'has words after an attribute; words come first: members update role=admin' };
}

function unknownWords(words: readonly string[], { commands }: CommandTable): RuleMistake | undefined {
  if (
    words.slice(0, -1).some((word) => word.includes('*') && word !== '*') ||
    /.\*|\*./.test(words.at(-1) ?? '')
  )
    return { message: 'has "*" within a word; it stands for a whole word' };
  if (commands.some((command) => wordsMatch(words, command.split(' ')))) return undefined;
  const text = words.join(' ');
  if (commands.some((command) => command.startsWith(`${text} `))) {
    const meant = `${text} *`;
    return { message: `names a group of commands; did you mean "${meant}"?`, nearest: meant };
  }
  const near = withNearest('names no known command', text, ['read', ...localWords, ...commands]);
  if (near.nearest !== undefined) return near;
  const groups = new Set(commands.map((command) => command.split(' ')[0] ?? ''));
  return withNearest('names no known command', words[0] ?? '', groups);
}

function attributeMistakes(
  words: readonly string[],
  { name, value }: Rule['attributes'][number],
  table: CommandTable,
): RuleMistake[] {
  if (name === 'danger') return oneOf(name, value, dangers);
  if (name === 'undo') return oneOf(name, value, surenesses);
  if (name === 'exposes') return oneOf(name, value, exposureWords);
  const concerned = operationsOf(words, table);
  const fields = concerned.flatMap((op) => knownFields(op).filter((field) => names(field.path, name)));
  if (fields.length > 0) return valueMistakes(name, value, fields);
  const known = new Set(concerned.flatMap((op) => knownFields(op).flatMap(({ path }) => namesOf(path))));
  const where = words.length === 1 && words[0] === '*' ? 'any command' : `"${words.join(' ')}"`;
  const near = withNearest(`has the attribute "${name}", which ${where} never sends`, name, [
    ...['danger', 'undo', 'exposes'],
    ...known,
  ]);
  return [near];
}

function oneOf(name: string, value: string, words: readonly string[]): RuleMistake[] {
  if (words.includes(value)) return [];
  return [withNearest(`has an unknown ${name}; known: ${words.join(', ')}`, value, words)];
}

/** The operations that a rule is about: of commands made of several, any. */
function operationsOf(words: readonly string[], table: CommandTable): readonly AnyOperation[] {
  const own = operations.filter((op) => {
    const command = table.operations.get(op.id)?.words;
    return command !== undefined && wordsMatch(words, command.split(' '));
  });
  const commands = new Set([...table.operations.values()].map((one) => one.words));
  const further = table.commands.some(
    (command) => !commands.has(command) && wordsMatch(words, command.split(' ')),
  );
  return further ? operations : own;
}

/** Whether an attribute names a field: by its whole path, or by its end. */
function names(path: readonly string[], name: string): boolean {
  const asked = name.split('.');
  for (let from = 0; from < path.length; from += 1) {
    const part = path.slice(from);
    const open = part.at(-1) === '**';
    const plain = open ? part.slice(0, -1) : part;
    if (open ? asked.length < plain.length : asked.length !== plain.length) continue;
    if (open && plain.length === 0) continue;
    if (plain.every((word, at) => word === '*' || asked[at] === '*' || word === asked[at])) return true;
  }
  return false;
}

function namesOf(path: readonly string[]): string[] {
  const plain = path.filter((word) => word !== '**');
  return [plain.join('.'), plain.at(-1) ?? ''];
}

/** A value that no field of the name can have would never match, and never deny. */
function valueMistakes(name: string, value: string, fields: readonly KnownField[]): RuleMistake[] {
  if (value === anyValue) return [];
  const closed = fields.map((field) => field.values);
  if (closed.some((values) => values === undefined)) return [];
  const known = [...new Set(closed.flatMap((values) => values ?? []))];
  return known.includes(value)
    ? []
    : [withNearest(`has a value that ${name} never has; known: ${known.join(', ')}`, value, known)];
}

const keys = [
  'version',
  'default',
  'allow',
  'deny',
  'ask',
  'budget',
  'orgs',
  'protect',
  'approve',
  'state',
] as const;

/**
 * Reads the policies in force. Links are followed and owners are not checked, as of settings files: whoever names a file
 * decides. One that a server read at its start holds as it was then, and as it is now: until the server is started
 * again, a change of the file can only take away.
 * @throws DocsError configuration `policy_not_found`, `policy_invalid`, `unsafe_path`; local-io `policy_unreadable`
 */
export async function loadPolicies(files: readonly PolicyFile[], table: CommandTable): Promise<Policy[]> {
  const policies: Policy[] = [];
  for (const file of files) {
    const now = bytesOf(file.path);
    if (now === undefined && file.bytes === undefined && file.source !== undefined)
      throw notFound(file.path, file.source);
    const texts = [file.bytes, now].filter((text) => text !== undefined);
    const [first, second] = texts;
    if (first !== undefined && second !== undefined && Buffer.compare(first, second) === 0) texts.pop();
    const isMachine = file.source === undefined;
    for (const text of texts) {
      const policy = await readPolicy(file.path, text, table);
      const state = policy.state ?? (isMachine ? machineState(file.path, process.platform) : undefined);
      policies.push({ ...policy, ...(state !== undefined && { state }) });
    }
  }
  return policies;
}

/** The policies that a server binds its calls to, with their content. @throws DocsError as `loadPolicies` */
export function bindPolicies(files: readonly PolicyFile[]): BoundPolicy[] {
  return files.flatMap((file) => {
    const bytes = bytesOf(file.path);
    if (bytes !== undefined) return [{ ...file, bytes }];
    if (file.source === undefined) return [];
    throw notFound(file.path, file.source);
  });
}

function notFound(path: string, source: string): DocsError {
  const message = `policy ${path} not found, which ${source} names; nothing was run`;
  const hint = `docs policy init --read-only ${shellWord(path, process.platform)}`;
  return notSent('configuration', 'policy_not_found', message, { hint, details: { file: path, source } });
}

function bytesOf(path: string): Uint8Array | undefined {
  try {
    return readOwnFile(path, { follow: true });
  } catch (cause) {
    if (cause instanceof DocsError) throw cause;
    const message = `cannot read the policy ${path}: ${systemCode(cause) ?? String(cause)}; nothing was run`;
    throw notSent('local-io', 'policy_unreadable', message, { cause, hint: 'docs policy --help' });
  }
}

/**
 * A policy from the bytes of its file.
 * @param path what errors and verdicts call it
 * @throws DocsError configuration `policy_invalid`, with all mistakes
 */
export async function readPolicy(
  path: string,
  text: Uint8Array | string,
  table: CommandTable,
): Promise<Policy> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const parsed = await parseFile(path, bytes);
  const { root, mistakes } = parsed;
  if (root === undefined) throw invalid(path, mistakes);
  const map = new PolicyMap({ parsed, path: '' }, root);
  map.onlyKnown(keys);
  readVersion(map);
  const word = map.text('default');
  const policy: Policy = {
    file: path,
    hash: sha256(bytes),
    default: word === undefined ? 'deny' : (map.oneOf('default', word, ['deny', 'allow'] as const) ?? 'deny'),
    allow: readRules(map, 'allow', table),
    deny: readRules(map, 'deny', table),
    ask: readRules(map, 'ask', table),
    budget: readBudget(map),
    ...readOrgs(map),
    protect: readProtect(map),
    ...readApprove(map),
    ...readState(map),
    lines: { default: map.lineOf('default'), orgs: map.lineOf('orgs'), state: map.lineOf('state') },
  };
  if (mistakes.length > 0) throw invalid(path, mistakes);
  return policy;
}

function invalid(file: string, all: readonly Mistake[]): DocsError {
  const { count, mistakes, lines } = listMistakes(all);
  const message = `invalid policy ${file}: ${count}; nothing was run`;
  const details = { file, mistakes };
  return notSent('configuration', 'policy_invalid', message, { lines, hint: 'docs policy --help', details });
}

/** A relative folder would be another one in each directory. */
function readState(map: PolicyMap): Pick<Policy, 'state'> {
  const text = map.text('state');
  if (text === undefined) return {};
  if (isAbsolute(text)) return { state: normalize(text).replace(/(?<=.)[\\/]+$/, '') };
  map.mistake(map.node('state'), 'state', 'must be the absolute path of a directory, such as /var/lib/docs');
  return {};
}

function readVersion(map: PolicyMap): void {
  const node = map.node('version');
  if (node === undefined) map.mistake(undefined, 'version', 'is missing; expected version: 1');
  else if (node.type !== 'scalar' || node.value !== 1)
    map.mistake(node, 'version', 'must be 1, the only version that this docs knows');
}

function readRules(map: PolicyMap, key: 'allow' | 'deny' | 'ask', table: CommandTable): Rule[] {
  return map.texts(key, 'a rule such as "members update"').flatMap(({ text, place }) => {
    const found = readRule(text, place.line, table);
    if (!Array.isArray(found)) return [found];
    for (const words of found) map.add(place, words);
    return [];
  });
}

const budgetForm = /^(\d{1,9})\s*\/\s*(run|hour|day)$/;

function readBudget(map: PolicyMap): Budget[] {
  const budget = map.map('budget', 'writes: 20/run');
  if (budget === undefined) return [];
  const kinds = ['writes', 'deletes'] as const;
  budget.onlyKnown(kinds);
  return kinds.flatMap((what) =>
    budget.texts(what, 'a limit such as 20/run').flatMap(({ text, place }) => {
      const [, most, per] = budgetForm.exec(text) ?? [];
      if (most === undefined) {
        budget.add(place, { message: 'must be a number per run, hour or day, such as 20/run' });
        return [];
      }
      return [{ what, most: Number(most), per: per as Budget['per'], line: place.line }];
    }),
  );
}

function readOrgs(map: PolicyMap): Pick<Policy, 'orgs'> {
  if (map.node('orgs') === undefined) return {};
  const found = map.texts('orgs', 'the id of an organization');
  if (found.length === 0) map.mistake(map.node('orgs'), 'orgs', 'must name at least one organization');
  for (const { text, place } of found)
    if (!/^[\w-]+$/.test(text))
      map.add(place, { message: 'must be the id of an organization, not its title' });
  return { orgs: found.map(({ text }) => text) };
}

/** What `protect` can name, by its words: `user` and `member`. The members of a team are members. */
const protectable = namedResources
  .filter(({ name, parameter }) => resourceOfField(parameter) === name)
  .map(({ name, printed }) => ({ kind: printed.argument, words: [...new Set([printed.argument, name])] }));

function readProtect(map: PolicyMap): Protected[] {
  const words = protectable.flatMap((one) => one.words);
  return map.texts('protect', 'a kind and a name such as "site:docs"').flatMap(({ text, place }) => {
    const [, word = '', name = ''] = /^([^:\s]+):\s*(\S.*)$/.exec(text) ?? [];
    if (name === '') {
      map.add(place, { message: 'must be a kind and an id or title, such as "site:docs"' });
      return [];
    }
    const found = protectable.find((one) => one.words.includes(word));
    if (found !== undefined) return [{ text, kind: found.kind, name: name.trim(), line: place.line }];
    map.near(place, 'names an unknown kind of resource', word, words);
    return [];
  });
}

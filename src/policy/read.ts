import { createHash } from 'node:crypto';
import { DocsError, notSent } from '../base/errors.js';
import type { BoundPolicy } from '../base/io.js';
import { readOwnFile } from '../base/own-files.js';
import { shellWord } from '../base/shell-word.js';
import { systemCode } from '../base/system-errors.js';
import { type Mistake, mistakeLine } from '../files/yaml/mistake.js';
import { parseFile } from '../files/yaml/parse.js';
import { namedResources, resourceOfField } from '../model/resources.js';
import type { PolicyFile } from '../settings/policy-files.js';
import type { CommandTable } from './command-table.js';
import type { Budget, Policy, Protected, Rule } from './policy.js';
import { readApprove } from './read-approve.js';
import { PolicyMap } from './read-map.js';
import { readRule } from './rule.js';

const keys = ['version', 'default', 'allow', 'deny', 'ask', 'budget', 'orgs', 'protect', 'approve'] as const;

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
    for (const text of texts) policies.push(await readPolicy(file.path, text, table));
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
    const message = `Cannot read the policy ${path}: ${systemCode(cause) ?? String(cause)}; nothing was run.`;
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
    hash: createHash('sha256').update(bytes).digest('hex'),
    default: word === undefined ? 'deny' : (map.oneOf('default', word, ['deny', 'allow'] as const) ?? 'deny'),
    allow: readRules(map, 'allow', table),
    deny: readRules(map, 'deny', table),
    ask: readRules(map, 'ask', table),
    budget: readBudget(map),
    ...readOrgs(map),
    protect: readProtect(map),
    ...readApprove(map),
    lines: { default: map.lineOf('default'), orgs: map.lineOf('orgs') },
  };
  if (mistakes.length > 0) throw invalid(path, mistakes);
  return policy;
}

function invalid(file: string, mistakes: readonly Mistake[]): DocsError {
  const sorted = [...mistakes].sort((a, b) => a.line - b.line || a.column - b.column);
  const count = sorted.length === 1 ? '1 mistake' : `${sorted.length} mistakes`;
  const most = 200;
  const rest = sorted.length > most ? [`and ${sorted.length - most} more`] : [];
  const message = `invalid policy ${file}: ${count}; nothing was run`;
  return notSent('configuration', 'policy_invalid', message, {
    lines: [...sorted.slice(0, most).map(mistakeLine), ...rest],
    hint: 'docs policy --help',
    details: { file, mistakes: sorted.slice(0, most) },
  });
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
    if (found !== undefined) return [{ kind: found.kind, name: name.trim(), line: place.line }];
    map.near(place, 'names an unknown kind of resource', word, words);
    return [];
  });
}

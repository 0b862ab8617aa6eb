import { resolve } from 'node:path';
import { createClient } from '../../api/client.js';
import { DocsError, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { counted } from '../../output/text.js';
import { PartWriter } from '../../shards/answer-part.js';
import { AnswerPart, recorded, replayed } from '../../shards/read-part.js';
import {
  type BadPart,
  parseShard,
  partFolders,
  type Shard,
  shardWords,
  unfinished,
} from '../../shards/shard.js';
import type { ManualInput } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { contextId } from '../resolve/resolve-ids.js';
import { type Own, plainOwn } from './own.js';
import { platformOf } from './session-job.js';

/** `--shard`, `--parts` and `--merge` of the commands that only read. */

/**
 * Runs a command on all, on one part, or on the parts of others.
 * @throws DocsError usage `invalid_shard`, `contradiction`, and as `joined`; whatever `run` throws
 */
export async function withShards(
  session: Session,
  input: ManualInput,
  split: Split,
  run: (own: Own) => Promise<void>,
): Promise<void> {
  const { merge, parts } = input.options;
  const shard = parseShard(input.options.shard);
  const plain = plainOwn(session, input);
  if (shard === undefined && parts !== undefined)
    throw usageError('contradiction', '--parts requires --shard <i>/<n>');
  if (typeof merge === 'string') {
    return joined(plain, { split, merge }, run);
  }
  if (shard === undefined) return run(plain);
  if (typeof parts !== 'string')
    throw usageError('missing_parts', 'missing --parts: the folder to write the part to', {
      hint: `docs ${split.command} --shard ${shard.index}/${shard.of} --parts <folder>`,
    });
  return inPart(plain, { split, shard, parts }, run);
}

/** What a command says of itself. */
export interface Split {
  /** Its words. */
  command: string;
  /**
   * The flags that change what is read or found, by their keys, with what they ask for. Parts that were read with
   * others are not joined; at a merge they are those of the parts.
   */
  flags: Readonly<Record<string, unknown>>;
  /** What parts may have read that a merge does without, with the flag that needs it. */
  extras?: Readonly<Record<string, { isRead: boolean; flag: string }>>;
}

/** Runs one part, and keeps what the platform answered. */
async function inPart(
  plain: Own,
  { split, shard, parts }: { split: Split; shard: Shard; parts: string },
  run: (own: Own) => Promise<void>,
): Promise<void> {
  const { session, input } = plain;
  const { io, printer, globals, settings } = session;
  const organization = await contextId(session, 'org');
  const folder = shellWord(parts, io.platform);
  printer.note(`This is ${shardWords(shard)}; "docs ${split.command} --merge ${folder}" joins all.`);
  if (globals.dryRun) return run({ ...plain, shard });
  const writer = await PartWriter.begin(resolve(io.cwd, parts), {
    command: split.command,
    shard,
    platform: platformOf(session),
    organization,
    flags: plainFlags(split),
    pageSize: settings.pageSize?.value,
    startedAt: new Date(io.now()).toISOString(),
  });
  const client: Session['client'] = async (use) =>
    createClient(recorded(await session.client(use), writer), { pageSize: settings.pageSize?.value });
  const note = (name: string, fact: string): void => {
    writer.facts[name] = fact;
  };
  try {
    await run({ ...plain, session: { ...session, client }, input, shard, note });
  } catch (cause) {
    if (isWhole(cause)) await writer.finish(new Date(io.now()).toISOString());
    else await writer.abandon();
    throw cause;
  }
  await writer.finish(new Date(io.now()).toISOString());
}

/** Whether a command read all that it could, though it fails: with findings, or with what could not be read. */
function isWhole(cause: unknown): boolean {
  if (!(cause instanceof DocsError)) return false;
  return cause.kind === 'findings' || ['not_all_read', 'unread'].includes(cause.code);
}

/** The flags as they are compared and kept: nothing that is not set. */
function plainFlags({ flags, extras = {} }: Split): Record<string, unknown> {
  const read = Object.entries(extras).map(([name, { isRead }]) => [name, isRead || undefined] as const);
  const set = [...Object.entries(flags), ...read].filter(([, value]) => value !== undefined);
  return JSON.parse(JSON.stringify(Object.fromEntries(set))) as Record<string, unknown>;
}

/**
 * Runs the command on what parts hold.
 * @throws DocsError usage `no_parts`, `other_parts`; partial `part_missing` (exit 3); whatever `run` throws
 */
async function joined(
  plain: Own,
  { split, merge }: { split: Split; merge: string },
  run: (own: Own) => Promise<void>,
): Promise<void> {
  const { session } = plain;
  const { io } = session;
  const again = `docs ${split.command} --parts ${shellWord(merge, io.platform)}`;
  const parts = await openAll(resolve(io.cwd, merge), again);
  try {
    const [first] = parts;
    if (first === undefined) throw new Error('There is no part.');
    refuseOthers(session, parts, split);
    const times = partTimes(parts.map(({ head, end }) => ({ ...head, finishedAt: end.finishedAt })));
    tellTimes(session, times);
    const { organization, flags, pageSize } = first.head;
    const known = Object.keys(split.flags).flatMap((key) =>
      key in flags ? [[key, flags[key]] as const] : [],
    );
    const options = { ...plain.input.options, ...Object.fromEntries(known) };
    const input = { ...plain.input, options };
    const client = createClient(replayed(parts), { pageSize });
    const org = { value: organization, source: 'default', where: 'the parts' } as const;
    const own = { ...session, client: async () => client, settings: { ...session.settings, org } };
    const facts = (name: string): string[] => [...new Set(parts.flatMap(({ end }) => end.facts[name] ?? []))];
    const has = (extra: string): boolean => flags[extra] === true;
    await run({ ...plain, session: own, input, has, readAt: times.oldest.startedAt, facts });
  } finally {
    for (const part of parts) await part.close();
  }
}

/** @throws DocsError as `partFolders`; partial `part_missing` where one is unfinished or damaged */
async function openAll(path: string, again: string): Promise<AnswerPart[]> {
  const folders = await partFolders(path, again);
  const [opened, bad]: [AnswerPart[], BadPart[]] = [[], []];
  try {
    for (const folder of folders) {
      const part = await AnswerPart.open(folder);
      if (typeof part === 'string') bad.push({ index: folder.index, of: folder.of, why: part });
      else opened.push(part);
    }
    if (bad.length > 0) throw unfinished(bad, again);
    return opened;
  } catch (cause) {
    for (const part of opened) await part.close();
    throw cause;
  }
}

/** @throws DocsError usage `other_parts` where parts do not belong together, or to what was typed */
function refuseOthers(session: Session, parts: readonly AnswerPart[], split: Split): void {
  const [first] = parts;
  if (first === undefined) return;
  for (const { head, shard } of parts) {
    const named = shardWords(shard);
    if (head.command !== split.command)
      throw other(`${named} is of docs ${head.command}, not of docs ${split.command}`);
    for (const key of ['organization', 'platform'] as const)
      if (head[key] !== first.head[key])
        throw other(`${named} is of ${key} ${head[key]}, ${shardWords(first.shard)} of ${first.head[key]}`);
    const flag = difference(head.flags, first.head.flags);
    if (flag !== undefined)
      throw other(`${named} was read with another ${flagName(flag, split)} than ${shardWords(first.shard)}`);
  }
  const { organization, platform, flags } = first.head;
  const { org, baseUrl, sandbox } = session.settings;
  if (org !== undefined && org.value !== organization)
    throw other(`the parts are of organization ${organization}, not of ${org.value} (${org.where})`);
  if ((baseUrl !== undefined || sandbox) && platformOf(session) !== platform)
    throw other(`the parts are of platform ${platform}, not of ${platformOf(session)}`);
  for (const [key, value] of Object.entries(plainFlags(split))) {
    const isSame = JSON.stringify(value) === JSON.stringify(flags[key]);
    if (isSame || (value === false && flags[key] === undefined)) continue;
    const name = flagName(key, split);
    throw other(
      split.extras?.[key] === undefined
        ? `the parts were read with another ${name}; leave it out here`
        : `${name} needs parts that were read with ${name}, too`,
    );
  }
}

/** The first flag that differs. */
function difference(
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
): string | undefined {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return keys.find((key) => JSON.stringify(a[key]) !== JSON.stringify(b[key]));
}

/** `--exempt-author` for `exemptAuthor`. */
function flagName(key: string, { extras, flags }: Split): string {
  const flag = extras?.[key]?.flag ?? key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return flags[key] === false || key === 'sso' ? `--no-${flag}` : `--${flag}`;
}

function other(message: string) {
  return usageError('other_parts', `${message}; nothing was joined`);
}

/** When parts were read: what is joined is as of different moments. */

interface Timed {
  shard: Shard;
  startedAt: string;
  finishedAt: string;
}

interface PartTimes {
  count: number;
  oldest: Timed;
  newest: Timed;
}

export function partTimes(parts: readonly Timed[]): PartTimes {
  const sorted = [...parts].sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
  const [oldest, newest] = [sorted[0], sorted.at(-1)];
  if (oldest === undefined || newest === undefined) throw new Error('There is no part.');
  return { count: parts.length, oldest, newest };
}

/** Parts that started further apart are said even with `--quiet`: one of them may be of an earlier night. */
const farApartMs = 24 * 3_600_000;

/** Says on standard error when the parts were read. */
export function tellTimes(session: Session, { count, oldest, newest }: PartTimes): void {
  const apartMs = Date.parse(newest.startedAt) - Date.parse(oldest.startedAt);
  const from = `read from ${oldest.startedAt} to ${newest.finishedAt}`;
  if (apartMs <= farApartMs) {
    session.printer.note(`Joins ${counted(count, 'part')}, ${from}.`);
    return;
  }
  const hours = counted(Math.round(apartMs / 3_600_000), 'hour');
  session.printer.warn(
    `The parts are of different times: ${shardWords(oldest.shard)} started ${hours} before ${shardWords(newest.shard)} (${from}).`,
  );
}

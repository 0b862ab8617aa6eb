import { Space } from '../../api/resources/spaces.js';
import { timestamp } from '../../api/shapes.js';
import { type TSchema, Type } from '../../api/type.js';
import {
  closed,
  done,
  Failure,
  flag,
  forecast,
  ItemResult,
  maybe,
  oneOf,
  orNull,
  text,
} from '../../output/printed-shapes.js';
import { settingKeys } from '../../settings/keys.js';
import { ReviewRow } from '../../workflows/access-review/row.js';
import { BackupResult, Difference, PlannedSpace, VerifyFinding } from '../../workflows/backup/report.js';
import { Finding } from '../../workflows/link-check/finding.js';
import { Offboarding } from '../../workflows/offboard/report.js';
import { PublishResult, WaitResult } from '../../workflows/openapi-publish/report.js';
import { DescribedCommand } from './described-command.js';

/**
 * What commands print that are not one operation: one entry a hand-written command, and what commands
 * over operations print beside the platform's answer. Tests hold each to what the command prints.
 */

const anyObject = Type.Object({});

const settingValue = orNull(Type.Union([text, Type.Number(), flag, Type.Array(text)]));
const source = oneOf(...['flag', 'environment', 'project file', 'profile', 'settings', 'sandbox', 'default']);

const setting = closed({
  name: oneOf(...settingKeys.map(({ name }) => name)),
  value: settingValue,
  source,
  where: text,
  builtIn: Type.String({ description: 'What holds where nothing is set, in words' }),
  description: text,
});

const settingChange = (status: string) =>
  done(oneOf(status, 'not-changed'), {
    value: settingValue,
    where: Type.String({ description: 'The settings file' }),
    profile: maybe,
    changed: flag,
  });

const resolved = closed({ value: orNull(text), source: Type.Optional(source), where: maybe });
const inUse = done(oneOf('in-use', 'not-changed'), { title: text, where: text });

const server = closed({
  running: flag,
  url: maybe,
  pid: Type.Optional(Type.Integer()),
  file: text,
  time: timestamp,
  org: text,
  space: maybe,
  site: maybe,
  tokens: Type.Record(text, text, { description: 'Tokens by role' }),
});

const fault = closed({
  id: Type.Integer(),
  match: text,
  status: orNull(Type.Integer()),
  headers: Type.Record(text, text),
  delayMs: Type.Number(),
  reset: orNull(oneOf('before', 'after')),
  times: orNull(Type.Integer()),
  rate: Type.Number(),
});

const loggedRequest = closed({
  id: text,
  time: timestamp,
  method: text,
  path: text,
  status: Type.Integer({ description: '0 where the connection was cut' }),
  caller: orNull(text),
});

const saved = done(oneOf('saved', 'not saved'), {
  path: text,
  bytes: Type.Optional(Type.Number()),
});

const jobSummary = {
  id: text,
  command: text,
  state: oneOf('done', 'failed', 'unfinished', 'running', 'undone'),
  total: Type.Integer(),
  ok: Type.Integer(),
  failed: Type.Integer(),
  unknown: Type.Integer({ description: 'Sent, and nobody knows what came of it' }),
  left: Type.Integer({ description: 'Never sent' }),
  at: timestamp,
  profile: text,
  origin: text,
  org: maybe,
  file: maybe,
  undoes: Type.Optional(Type.String({ description: 'The job that it takes back' })),
  evidence: Type.Optional(Type.String({ description: 'The file that its command completes' })),
};

const jobItem = closed({
  index: Type.Integer(),
  id: text,
  status: oneOf('planned', 'ok', 'failed', 'unknown'),
  ...forecast,
  undone: Type.Optional(flag),
  at: Type.Optional(timestamp),
  requestId: maybe,
  before: Type.Optional(Type.Unknown({ description: 'The state before the change' })),
  error: Type.Optional(Failure),
});

const deletedSpace = closed({
  id: text,
  title: orNull(text),
  deletedAt: timestamp,
  restorableUntil: timestamp,
  hoursLeft: Type.Integer(),
  job: text,
});

/** By the words after `docs`. */
export const manualResults: Readonly<Record<string, TSchema>> = {
  'auth login': done(oneOf('signed-in', 'not-changed'), {
    baseUrl: text,
    tokenStore: Type.Optional(oneOf('keychain', 'file')),
  }),
  'auth status': closed({
    profile: text,
    baseUrl: maybe,
    baseUrlFrom: maybe,
    tokenFrom: text,
    works: flag,
    token: Type.Optional(Type.String({ description: 'With --show-token alone' })),
  }),
  'auth logout': done(oneOf('signed-out', 'not-signed-in', 'not-changed')),
  'auth list': Type.Array(
    closed({
      name: text,
      baseUrl: maybe,
      current: flag,
      signedIn: flag,
      store: Type.Optional(oneOf('keychain', 'file')),
    }),
  ),
  'auth switch': done(oneOf('in-use', 'not-changed')),
  status: closed({
    ...{ profile: resolved, baseUrl: resolved, org: resolved, space: resolved, site: resolved },
    token: orNull(Type.String({ description: 'Where the token comes from' })),
    works: flag,
    problem: maybe,
    organizations: Type.Optional(Type.Array(text)),
    projectFile: orNull(text),
  }),
  'config list': Type.Array(setting),
  'config get': setting,
  'config set': settingChange('set'),
  'config unset': settingChange('unset'),
  'config path': text,
  'orgs use': inUse,
  'spaces use': inUse,
  'sites use': inUse,
  'spaces list': Type.Array(Space),
  'openapi publish': PublishResult,
  'openapi wait': WaitResult,
  'members offboard': Offboarding,
  'members review': Type.Union([Type.Array(ReviewRow), Type.Array(ItemResult)]),
  'links check': Type.Array(Finding),
  'backup run': Type.Union([BackupResult, Type.Array(PlannedSpace)]),
  'backup verify': Type.Array(VerifyFinding),
  'backup diff': Type.Array(Difference),
  'content files get': saved,
  'change-requests pdf': saved,
  api: Type.Unknown({ description: 'What the platform answers; with --paginate the items as one list' }),
  open: Type.Union([
    done(oneOf('opened', 'not-opened'), { url: text }),
    Type.String({ description: 'With --print' }),
  ]),
  doctor: Type.Array(
    closed({ check: text, state: oneOf('ok', 'warning', 'problem'), detail: text, hint: maybe }),
  ),
  bulk: Type.Array(ItemResult),
  'jobs list': Type.Array(closed(jobSummary)),
  'jobs show': closed({ ...jobSummary, items: Type.Array(jobItem) }),
  'jobs resume': Type.Array(ItemResult),
  'jobs prune': done(oneOf('pruned', 'kept'), { removed: Type.Integer() }),
  undo: Type.Array(ItemResult),
  'trash list': Type.Array(deletedSpace),
  'trash restore': Type.Union([Space, Type.Array(ItemResult)]),
  commands: Type.Array(DescribedCommand),
  schema: Type.Object({
    command: maybe,
    input: Type.Optional(anyObject),
    body: Type.Optional(anyObject),
    result: Type.Optional(anyObject),
    preview: Type.Optional(anyObject),
    error: Type.Optional(anyObject),
  }),
  completion: Type.Union([
    Type.String({ description: 'The script' }),
    done(oneOf('installed', 'up-to-date', 'uninstalled', 'not-installed', 'not-written'), { path: text }),
  ]),
  'sandbox start': server,
  'sandbox status': server,
  'sandbox stop': done(oneOf('stopped', 'not-running')),
  'sandbox seed': done(Type.Literal('seeded')),
  'sandbox reset': done(Type.Literal('reset')),
  'sandbox export': closed({ format: text, tables: anyObject }),
  'sandbox clock': done(oneOf('running', 'moved'), { time: timestamp }),
  'sandbox fault': Type.Array(fault),
  'sandbox requests': Type.Array(loggedRequest),
  'sandbox exec': Type.Unknown({ description: 'What the command prints that is run' }),
};

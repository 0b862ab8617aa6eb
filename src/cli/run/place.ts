import { join } from 'node:path';
import type { TransportOptions } from '../../api/transport.js';
import { usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { type Format, formats } from '../../output/printer.js';
import type { RunningSandbox } from '../../sandbox/start.js';
import { findCredential } from '../../settings/credentials.js';
import { settingsPaths } from '../../settings/paths.js';
import { readRehearsal } from '../../settings/rehearsal.js';
import {
  policiesOf,
  readSettings,
  type SandboxContext,
  type Settings,
  type SettingsOverrides,
  signedOut,
} from '../../settings/settings.js';
import type { Globals } from '../declare/session.js';

/** Where a command runs: the settings that hold, and the platform that it asks. */

/** How a command is opened, as far as its place depends on it. */
interface OpenedAt {
  local: boolean;
  tolerant: boolean;
  further: readonly string[];
  /** Whether nothing of this run asks for the address of the platform: an embedded sandbox need not listen. */
  alone: boolean;
}

/** A sandbox that has not started: enough to check every setting. */
const notStarted: SandboxContext = { baseUrl: 'http://127.0.0.1' };

/**
 * Reads the settings and starts the embedded sandbox. The settings are checked before it starts, since a server
 * that is left open keeps the process alive.
 */
export async function openPlace(
  io: Io,
  globals: Globals,
  given: SettingsOverrides,
  { local, tolerant, further, alone }: OpenedAt,
): Promise<{ settings: Settings; sandbox?: RunningSandbox }> {
  const embedded = globals.sandbox && !local;
  const checked = openSettings(io, given, tolerant, embedded ? notStarted : undefined);
  if (checked.rehearsal !== undefined)
    (await import('./rehearsal.js')).refuseOutside(checked.rehearsal, checked, globals);
  formatOf(checked, further);
  if (!embedded) return { settings: checked };
  const sandbox = await embedSandbox(io, alone);
  try {
    const { warnings } = checked;
    const context = { ...sandbox.defaults, baseUrl: sandbox.url };
    return { settings: { ...openSettings(io, given, tolerant, context), warnings }, sandbox };
  } catch (cause) {
    await sandbox.close();
    throw cause;
  }
}

/** With `tolerant` a broken settings file counts as none. */
function openSettings(
  io: Io,
  given: SettingsOverrides,
  tolerant: boolean,
  sandbox: SandboxContext | undefined,
): Settings {
  // Not even a broken settings file lets anything out of a rehearsal.
  readRehearsal(io);
  try {
    return readSettings(io, given, sandbox);
  } catch (cause) {
    if (!tolerant) throw cause;
    const { output, fields } = given;
    const fromFlag = <T>(value: T | undefined, where: string) =>
      value === undefined ? undefined : ({ value, source: 'flag', where } as const);
    return {
      paths: settingsPaths(io),
      profile: { value: 'default', source: 'default', where: 'built in' },
      profiles: [],
      sandbox: false,
      warnings: [],
      policies: policiesOf({ io, paths: settingsPaths(io), overrides: given, project: undefined }),
      output: fromFlag(output, '--output'),
      fields: fromFlag(fields?.split(','), '--fields'),
    };
  }
}

async function embedSandbox(io: Io, isLocal: boolean): Promise<RunningSandbox> {
  const { startSandbox } = await import('../../sandbox/start.js');
  return startSandbox({ file: join(settingsPaths(io).dataDir, 'sandbox.db'), io, isLocal });
}

/** Where requests go. The token keeps the origin it belongs to, which the transport checks. */
export interface PlatformAccess {
  baseUrl: string;
  credential: { token: string; origin: string };
  connect?: TransportOptions['connect'];
}

export async function whereTo(
  io: Io,
  settings: Settings,
  sandbox: RunningSandbox | undefined,
): Promise<PlatformAccess> {
  const credential = await findCredential(io, settings);
  if (sandbox !== undefined) {
    // A token of another sandbox, such as one started before, is none of this one's.
    const known = sandbox.tokens.some(({ token }) => token === credential?.token);
    const admin = { token: sandbox.token, origin: new URL(sandbox.url).origin };
    const own = known && credential !== undefined ? credential : admin;
    return { baseUrl: sandbox.url, credential: own, connect: sandbox.connect };
  }
  if (settings.baseUrl === undefined || credential === undefined) throw signedOut(settings);
  return { baseUrl: settings.baseUrl.value, credential };
}

/**
 * The output format; undefined for the usual one, and for one that the command prints itself.
 * @throws DocsError usage `unknown_format`
 */
export function formatOf({ output }: Settings, further: readonly string[]): Format | undefined {
  if (output === undefined || further.includes(output.value)) return undefined;
  const { value, where } = output;
  if (isFormat(value)) return value;
  const message = `${where}: ${value} is not an output format; known: ${formats.join(', ')}`;
  throw usageError('unknown_format', message);
}

const isFormat = (name: string): name is Format => (formats as readonly string[]).includes(name);

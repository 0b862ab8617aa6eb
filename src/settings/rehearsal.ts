import { isAbsolute, join } from 'node:path';
import { notSent } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { readOwnFile } from '../base/own-files.js';
import { isObject, jsonIn } from '../base/values.js';
import { rehearsalFolder, rehearsalVariable } from './paths.js';

/**
 * The rehearsal that this process runs in: every request goes to a copy on loopback, and what would claim a change of
 * the platform on this machine goes to the rehearsal's own folder.
 */

/** The name of that file. */
export const rehearsalFile = 'rehearsal.json';

export interface Rehearsal {
  version: 1;
  /** Base URL of the copy, on loopback. */
  url: string;
  /** Of the copy; a real platform does not know it. */
  token: string;
  /** The platform that was copied, as journals name it. */
  origin: string;
  /** The profile whose settings hold. */
  profile: string;
  organization: { id: string; title: string };
  /** Whose token it is that the copy stands in for. */
  member?: { id: string; email?: string };
  /** Of the embedded sandbox, which no profile describes. */
  space?: string;
  site?: string;
}

type World = Pick<Io, 'env'>;

/**
 * The rehearsal that this process runs in.
 * @returns undefined outside of one
 * @throws DocsError configuration `rehearsal_gone`, `bad_rehearsal`: nothing may be sent, as the platform would get it
 */
export function readRehearsal(io: World): Rehearsal | undefined {
  const path = io.env[rehearsalVariable];
  if (path === undefined || path === '') return undefined;
  let text: string | undefined;
  try {
    text = isAbsolute(path) ? readOwnFile(path)?.toString('utf8') : undefined;
  } catch {
    text = undefined;
  }
  if (text === undefined) throw gone(path);
  const value = parsed(text);
  if (value === undefined) {
    const message = `${path}, which ${rehearsalVariable} names, is not the file of a rehearsal; nothing was sent`;
    throw notSent('configuration', 'bad_rehearsal', message, { hint: `unset ${rehearsalVariable}` });
  }
  return value;
}

/** A path of this machine below the folder of the rehearsal; as it is outside of one. @param kind a folder's name */
export function inRehearsal(io: World, kind: string, path: string, name: string): string {
  const folder = rehearsalFolder(io);
  return folder === undefined ? path : join(folder, kind, name);
}

function gone(path: string) {
  const message = `the rehearsal that ${rehearsalVariable} names (${path}) has ended; nothing was sent`;
  return notSent('configuration', 'rehearsal_gone', message, { hint: `unset ${rehearsalVariable}` });
}

const texts = ['url', 'token', 'origin', 'profile'] as const;

/** Only a copy on this machine, with a token that no platform knows: it could otherwise be a way around a policy. */
function parsed(text: string): Rehearsal | undefined {
  const value = jsonIn(text) as Partial<Rehearsal> | undefined;
  if (!isObject(value) || value.version !== 1 || !isObject(value.organization)) return undefined;
  if (texts.some((key) => typeof value[key] !== 'string') || typeof value.organization.id !== 'string')
    return undefined;
  const isCopy = /^http:\/\/127\.0\.0\.1:\d+$/.test(String(value.url)) && /^sbx_/.test(String(value.token));
  return isCopy ? (value as Rehearsal) : undefined;
}

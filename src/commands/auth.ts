import type { Client } from '../api/client.js';
import { listMembers } from '../api/resources/members.js';
import { listOrgs, pingOrg } from '../api/resources/orgs.js';
import { checkBaseUrl } from '../api/transport/address.js';
import { type Static, Type } from '../api/type.js';
import { DocsError, notSent, usageError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { defined } from '../base/values.js';
import type { Group } from '../cli/declare/command.js';
import { manual } from '../cli/declare/define.js';
import { option } from '../cli/declare/option.js';

import type { Session } from '../cli/declare/session.js';
import type { Offers } from '../cli/declare/takers.js';
import { readSource } from '../cli/parse/typed-text.js';
import { askHidden, askOffer, askText, askYes } from '../cli/resolve/prompts.js';
import { checked } from '../output/messages.js';
import { closed, done, flag, maybe, oneOf, text } from '../output/printed-shapes.js';
import { safeLine } from '../output/text.js';
import { checkToken, findCredential } from '../settings/credentials.js';
import { systemKeychain } from '../settings/keychain.js';
import { parsers } from '../settings/keys.js';
import { settingsPaths } from '../settings/paths.js';
import { noSuchProfile, readSettings, type SettingsOverrides } from '../settings/settings.js';
import {
  checkProfileName,
  memberName,
  type ProfileValues,
  readSettingsFile,
  type StoredMember,
  updateSettingsFile,
} from '../settings/settings-file.js';
import { removeCredential, storeCredential } from '../settings/store-credential.js';
import { canI } from './auth/can-i.js';

/** What sign-in asks, of the person and of the platform. */

/** Whether the token may not be kept in a file, where the keychain's part of this installation does not load. */
async function refuses(session: Session, problem: string): Promise<boolean> {
  session.printer.note(`The system keychain cannot be used: ${problem}.`);
  return !(await askYes(session, 'Store the token in a file that only you can read?'));
}

/** Organizations that sign-in lists on a terminal; whoever has more sets the default by its id. */
const mostListed = 200;

/** What stands for no default, which no id does. */
const noDefault = '';

/**
 * The organization that becomes the default: the only one; on a terminal one of several, unless the profile has one
 * of them or the person wants none. None is under the cursor first, so that Enter alone decides nothing.
 */
async function defaultOf<T extends { id: string; title: string }>(
  session: Session,
  orgs: readonly T[],
): Promise<T | undefined> {
  if (orgs.length < 2 || !session.interactive) return orgs.length === 1 ? orgs[0] : undefined;
  const { org } = session.settings;
  const known = orgs.find(({ id }) => id === org?.value);
  const listed = orgs.map(({ id, title }) => ({
    value: id,
    name: title,
    id,
    current: id === known?.id,
  }));
  const none = { value: noDefault, name: 'No default', description: 'Commands ask, or take --org.' };
  const chosen = await askOffer(session, 'Default organization', [none, ...listed]);
  return orgs.find(({ id }) => id === chosen);
}

/** What leaving the question means here: the platform was asked for the organizations, and nothing is stored. */
function notStored(cause: unknown): never {
  if (!(cause instanceof DocsError) || cause.kind !== 'interrupted') throw cause;
  throw notSent(cause.kind, cause.code, 'interrupted; the token was not stored');
}

/**
 * The member whom a new token belongs to, as a ping shows it; undefined where that cannot be told: sign-in never
 * fails for it.
 */
async function ownerOf(
  client: Client,
  organizationId: string | undefined,
): Promise<StoredMember | undefined> {
  if (organizationId === undefined) return undefined;
  try {
    const { findTokenOwner } = await import('../access/guards.js');
    const owner = await findTokenOwner(client, organizationId);
    if (owner.is !== 'known') return undefined;
    const { id, user } = owner.member;
    return defined({ id, email: user.email ?? undefined });
  } catch (cause) {
    if (!(cause instanceof DocsError) || ['interrupted', 'terminated'].includes(cause.kind)) throw cause;
    return undefined;
  }
}

/** The address of the platform, given or typed. @throws DocsError usage `missing_base_url` */
async function chooseBaseUrl(session: Session): Promise<string> {
  const known = session.settings.baseUrl?.value;
  const given = session.globals.baseUrl ?? (session.interactive ? undefined : known);
  if (given === undefined && !session.interactive) {
    throw usageError('missing_base_url', 'no platform address; pass --base-url or set DOCS_BASE_URL');
  }
  const typed =
    given ?? (await askText(session, 'Address of the platform:', { initial: known, check: checkBaseUrl }));
  return checkBaseUrl(typed).href.replace(/\/$/, '');
}

/** The token, from standard input or typed. @throws DocsError usage `missing_token`; of a malformed token */
async function readToken(session: Session, withToken: boolean): Promise<string> {
  if (withToken) return checkToken(await readSource(session, '-', '--with-token'), 'standard input');
  if (!session.interactive) {
    throw usageError('missing_token', 'no terminal to ask for the token; pipe it in with --with-token');
  }
  return checkToken(
    await askHidden(session, 'Token:', { check: (typed) => checkToken(typed, 'the prompt') }),
    'the prompt',
  );
}

/** Whose a token is. */
export const member = closed({ id: text, email: maybe });

const login = manual({
  name: 'login',
  summary: 'Sign in',
  why:
    'Asks for the address of the platform and a token, which stays hidden. Verifies the token, identifies ' +
    'its owner with a ping, and stores it in the system keychain or, without one, in a file that only you ' +
    'can read.',
  options: [option('--with-token', 'Read the token from standard input', { secret: true })],
  operations: [listOrgs, listMembers, pingOrg],
  plannable: false,
  returns: done(oneOf('signed-in', 'not-changed'), {
    baseUrl: text,
    member: Type.Optional(member),
    tokenStore: Type.Optional(oneOf('keychain', 'file')),
  }),
  examples: {
    'auth login': 'enter address and token at prompts',
    'auth login --base-url https://api.example.com --with-token < token.txt': 'sign in from a script',
  },
  danger: 'change',
  effect: 'local',
  here: { keeps: ['settings'] },
  asks: true,
  async run(session, { options }) {
    const baseUrl = await chooseBaseUrl(session);
    const token = await readToken(session, options.withToken === true);
    const client = await session.clientFor(baseUrl, token);
    const orgs: { id: string; title: string }[] = [];
    for await (const org of client.call(listOrgs, {}, { most: session.interactive ? mostListed : 2 }))
      orgs.push(org);
    const profile = session.settings.profile.value;
    if (session.globals.dryRun) {
      const result = { id: profile, status: 'not-changed', baseUrl };
      return session.printer.done(result, `Dry run: the token works at ${baseUrl}; it was not stored.`);
    }
    const only = await defaultOf(session, orgs).catch(notStored);
    const owner = await ownerOf(client, only?.id ?? orgs[0]?.id);
    const refusesFile = session.interactive ? (problem: string) => refuses(session, problem) : undefined;
    const toStore = { profile, baseUrl, token, member: owner, refusesFile };
    const kept = await storeCredential(session.io, toStore);
    await saveProfile(session.io, profile, { baseUrl, ...(only && { org: only.id }) });
    if (kept.note !== undefined) session.printer.note(kept.note);
    if (only !== undefined)
      session.printer.note(`Default organization: ${safeLine(only.title)} (${only.id}).`);
    else if (orgs.length > 1)
      session.printer.note('You belong to several organizations; to set the default one, run docs orgs use.');
    const result = { id: profile, status: 'signed-in', baseUrl, tokenStore: kept.store };
    const who = owner === undefined ? '' : ` (${memberName(owner)})`;
    await session.printer.done(
      { ...result, ...defined({ member: owner }) },
      checked(session.io, `Signed in to ${baseUrl} as profile ${profile}${who}.`),
    );
  },
});

const status = manual({
  name: 'status',
  summary: 'Show who you are signed in as and test the token',
  why: 'Sends one request to test the token. --show-token prints it for use in another program.',
  options: [option('--show-token', 'Print the token itself', { secret: true })],
  operations: [listOrgs],
  returns: closed({
    profile: text,
    baseUrl: maybe,
    baseUrlFrom: maybe,
    tokenFrom: text,
    works: flag,
    token: Type.Optional(Type.String({ description: 'Only with --show-token' })),
  }),
  columns: ['profile', 'baseUrl', 'baseUrlFrom', 'tokenFrom', 'works'],
  id: 'profile',
  examples: { 'auth status': 'show profile, address and where the token comes from' },
  async run(session, { options }, { view }) {
    const { io, settings } = session;
    const credential = session.globals.sandbox ? undefined : await findCredential(io, settings);
    const client = await session.client();
    for await (const _ of client.call(listOrgs, {}, { most: 1 })) break;
    const shown = {
      profile: settings.profile.value,
      baseUrl: settings.baseUrl?.value,
      baseUrlFrom: settings.baseUrl?.where,
      tokenFrom: credential?.where ?? 'sandbox',
      works: true,
      ...(options.showToken === true && credential && { token: credential.token }),
    };
    await session.printer.one(shown, view);
  },
});

const logout = manual({
  name: 'logout',
  summary: 'Remove the token of a profile from this machine',
  why:
    'Keeps the settings of the profile. The token stays valid on the platform; revoke it there if you no ' +
    'longer need it.',
  returns: done(oneOf('signed-out', 'not-signed-in', 'not-changed')),
  examples: { 'auth logout': 'remove the token, keep the settings' },
  danger: 'change',
  effect: 'local',
  here: { keeps: ['settings'] },
  async run(session) {
    const profile = session.settings.profile.value;
    if (session.globals.dryRun) {
      const sentence = `Dry run: the token of profile ${profile} was not removed.`;
      return session.printer.done({ id: profile, status: 'not-changed' }, sentence);
    }
    const removed = await removeCredential(session.io, profile);
    const status = removed ? 'signed-out' : 'not-signed-in';
    const sentence = removed
      ? checked(session.io, `Removed the token of profile ${profile}.`)
      : `Profile ${profile} has no token.`;
    await session.printer.done({ id: profile, status }, sentence);
  },
});

const Profile = closed({
  name: text,
  baseUrl: maybe,
  /** Whether the next command would use it. */
  current: flag,
  /** Whether a token is stored for it. */
  signedIn: flag,
  store: Type.Optional(oneOf('keychain', 'file')),
});

const list = manual({
  name: 'list',
  summary: 'List profiles',
  why: 'Shows the platform of each profile and which profile is the default.',
  returns: Type.Array(Profile),
  columns: ['name', 'baseUrl', { path: 'current', lead: true }, 'signedIn', 'store'],
  id: 'name',
  empty: 'No profiles.',
  examples: { 'auth list': 'list all profiles and mark the current one' },
  async run(session, _, { view }) {
    await session.printer.check(view);
    const items = await listProfiles(session.io);
    await session.printer.list(items, view);
  },
});

/** The current one is under the cursor, so that Enter alone changes nothing. */
const profileOffers: Offers = {
  none: 'There are no profiles.',
  async list({ io }) {
    const profiles = await listProfiles(io);
    return profiles.map(({ name, baseUrl = '', current, signedIn }) => ({
      value: name,
      name: [name, baseUrl, signedIn ? '' : '(signed out)', current ? '(current)' : '']
        .filter((word) => word !== '')
        .join('  '),
      current,
    }));
  },
};

const switchTo = manual({
  name: 'switch',
  summary: 'Switch to another profile',
  why:
    'Sets the default profile. To choose one for a single command, pass --profile; for one shell, set ' +
    'DOCS_PROFILE.',
  args: {
    '<profile>': {
      description: 'Name of the profile',
      listedBy: 'auth list',
      offers: async () => profileOffers,
    },
  },
  returns: done(oneOf('in-use', 'not-changed')),
  examples: { 'auth switch work': 'make work the default profile' },
  danger: 'change',
  effect: 'local',
  here: { keeps: ['settings'] },
  async run(session, { args }) {
    const name = String(args.profile);
    if (session.globals.dryRun) {
      const { profile, profiles } = session.settings;
      if (!profiles.includes(name)) throw noSuchProfile(name, profiles);
      const sentence = `Dry run: the default profile is still ${profile.value}, not ${name}.`;
      return session.printer.done({ id: name, status: 'not-changed' }, sentence);
    }
    await switchProfile(session.io, name);
    await session.printer.done(
      { id: name, status: 'in-use' },
      checked(session.io, `Switched to profile ${name}.`),
    );
  },
});

export const auth: Group = {
  name: 'auth',
  noun: 'profile',
  summary: 'Sign in and out, switch profiles',
  guide: 'sign-in',
  why:
    'A profile contains the address of a platform and a token. There is no --token flag: other users of the ' +
    'machine can read command lines.',
  commands: [login, status, canI, logout, list, switchTo],
};

/** All profiles, sorted by name, without a look at the keychain. @throws DocsError as `readSettings` */
export async function listProfiles(
  io: Io,
  overrides: SettingsOverrides = {},
): Promise<Static<typeof Profile>[]> {
  const settings = readSettings(io, overrides);
  const { profiles } = readSettingsFile(io, settings.paths);
  const names = [...profiles.keys()].sort((a, b) => (a < b ? -1 : 1));
  return names.map((name) => {
    const { baseUrl, credential } = profiles.get(name) ?? {};
    const current = name === settings.profile.value;
    return defined({ name, baseUrl, current, signedIn: credential !== undefined, store: credential?.store });
  });
}

/**
 * Saves values of a profile, creating it if needed; other values stay. The first profile becomes the
 * current one.
 * @throws DocsError usage `invalid_profile`, `invalid_setting`; as `checkBaseUrl`, `updateSettingsFile`
 */
export async function saveProfile(io: Io, name: string, values: ProfileValues): Promise<void> {
  checkProfileName(name);
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  const checked: ProfileValues = Object.fromEntries(
    entries.map(([key, value]) => [key, key === 'baseUrl' ? parsers.baseUrl(value) : parsers.org(value)]),
  );
  await updateSettingsFile(io, settingsPaths(io), (draft) => draft.setProfile(name, checked));
}

/**
 * Makes a profile the current one.
 * @throws DocsError usage `unknown_profile`, listing the known ones; as `updateSettingsFile`
 */
export async function switchProfile(io: Io, name: string): Promise<void> {
  await updateSettingsFile(io, settingsPaths(io), (draft, file) => {
    if (!file.profiles.has(name)) throw noSuchProfile(name, [...file.profiles.keys()]);
    draft.setCurrent(name);
  });
}

/** Removes a profile and its stored token. @throws DocsError usage `unknown_profile`; as `removeCredential` */
export async function removeProfile(io: Io, name: string, keychain = systemKeychain(io)): Promise<void> {
  const paths = settingsPaths(io);
  const { profiles } = readSettingsFile(io, paths);
  if (!profiles.has(name)) throw noSuchProfile(name, [...profiles.keys()]);
  await removeCredential(io, name, keychain);
  await updateSettingsFile(io, paths, (draft) => draft.removeProfile(name));
}

import type { LooseInput } from '../api/client.js';
import { usageError } from '../base/errors.js';
import { nodeCrypto, sha256 } from '../base/hash.js';
import { hideValue, redactQuery, redactUrls } from '../base/redaction.js';
import { findParts, isObject, replaceParts } from '../base/values.js';
import type { JobChange } from './change.js';
import type { JobItem } from './journal.js';
import type { Forecast, NoWayBack, PastChange, Rule, WayBack } from './rule.js';
import type { State } from './state.js';

/**
 * Values of environment variables in requests. Plans and journals hold a reference and a salted fingerprint;
 * the value is filled in when the request is sent.
 */

/** What stands for the value of an environment variable, which no file holds. */
export interface FromEnvironment {
  $env: string;
  /** Salted SHA-256 of the value as the plan was made; with `salt`, it tells that the value changed. */
  fingerprint: string;
  salt: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Salted SHA-256 of a value, in hexadecimal. */
export function fingerprintOf(value: string, salt: string): string {
  return sha256(`${salt}\0${value}`);
}

/**
 * The reference to a variable with the fingerprint of its value, which is hidden from errors and debug output
 * from now on.
 * @throws DocsError usage `env_unset`
 */
export function fromEnvironment(env: Environment, name: string): FromEnvironment {
  const value = env[name];
  if (value === undefined) throw unset([name]);
  hideValue(value);
  return inPlaceOf(value, name, nodeCrypto().randomBytes(16).toString('hex'));
}

function inPlaceOf(value: string, name: string, salt: string): FromEnvironment {
  return { $env: name, fingerprint: fingerprintOf(value, salt), salt };
}

export function isFromEnvironment(value: unknown): value is FromEnvironment {
  return isObject(value) && typeof value.$env === 'string' && typeof value.fingerprint === 'string';
}

/** The references in a JSON value. */
export function referencesIn(value: unknown): FromEnvironment[] {
  return findParts(value, isFromEnvironment);
}

/** A JSON value with the values of its variables; the value itself where it has none. */
export function filledFrom<T>(env: Environment, value: T): T {
  return replaceParts(value, isFromEnvironment, ({ $env }) => env[$env]) as T;
}

/** The step with the values of its variables: what was created is looked for by what was sent. */
export function withEnvironment(env: Environment, step: JobItem): JobItem {
  const input = filledFrom(env, step.change.input);
  return input === step.change.input ? step : { ...step, change: { ...step.change, input } };
}

/** How the variables are named that hold addresses with a secret, which no journal and no plan has. */
const secretUrlName = 'SECRET_URL';

/** Whether a text is an address with a password, a token or a signature. */
function isSecretUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !value.includes('://') || !/^[a-z][a-z\d+.-]*:\/\/\S+$/i.test(value))
    return false;
  return withoutSecret(value) !== value;
}

function withoutSecret(address: string): string {
  return redactQuery(redactUrls(address));
}

/**
 * Steps whose bodies refer to addresses with a secret as to variables of the environment, and an environment that has
 * them: whoever resumes the job, or applies the plan, sets the variable. Of equal steps the references are equal, so that
 * a job is known again.
 */
export function withoutSecretUrls<Step extends JobItem>(
  env: Environment,
  steps: readonly Step[],
): { steps: readonly Step[]; env: Environment; names: readonly string[] } {
  const added: Record<string, string> = {};
  const refer = (value: string): FromEnvironment => {
    const all = { ...env, ...added };
    let name = secretUrlName;
    for (let at = 2; (all[name] ?? value) !== value; at += 1) name = `${secretUrlName}_${at}`;
    added[name] = value;
    return inPlaceOf(value, name, saltOf(value));
  };
  const sealed = steps.map((step) => {
    const { input } = step.change;
    const body = replaceParts(input.body, isSecretUrl, refer);
    return body === input.body ? step : { ...step, change: { ...step.change, input: { ...input, body } } };
  });
  const names = Object.keys(added);
  return names.length === 0 ? { steps, env, names } : { steps: sealed, env: { ...env, ...added }, names };
}

/** Of equal addresses the salts are equal, so that a job is known again and a state compared. */
function saltOf(address: string): string {
  return sha256(withoutSecret(address)).slice(0, 32);
}

/**
 * A state that the platform shows, whose addresses with a secret are references as those of bodies are: whoever undoes
 * the change sets the variable, which each address has of its own. Of equal states the references are equal.
 */
function withoutSecretsInState<T>(state: T): T {
  return replaceParts(state, isSecretUrl, (value: string) => {
    const { fingerprint } = inPlaceOf(value, secretUrlName, saltOf(value));
    return inPlaceOf(value, `${secretUrlName}_${fingerprint.slice(0, 8).toUpperCase()}`, saltOf(value));
  }) as T;
}

/** An answer without the secrets of addresses that it repeats. */
export function withoutAnsweredSecrets<T>(answer: T): T {
  return replaceParts(answer, isSecretUrl, withoutSecret) as T;
}

/** Why requests with these references must not be sent. */
export function environmentIssues(
  env: Environment,
  references: readonly FromEnvironment[],
): { unset: string[]; changed: string[] } {
  const names = (all: readonly FromEnvironment[]) => [...new Set(all.map(({ $env }) => $env))];
  const set = references.filter(({ $env }) => env[$env] !== undefined);
  return {
    unset: names(references.filter(({ $env }) => env[$env] === undefined)),
    changed: names(
      set.filter(({ $env, fingerprint, salt }) => fingerprintOf(env[$env] ?? '', salt) !== fingerprint),
    ),
  };
}

/**
 * Hides the values of all variables that requests name, and refuses them where one is not as it was.
 * @throws DocsError usage `env_unset`, `env_changed`, `env_refused`: nothing was sent
 */
export function takeEnvironment(env: Environment, steps: readonly JobItem[]): void {
  const references = steps.flatMap(({ change }) => referencesIn(change.input.body));
  if (references.length === 0) return;
  for (const { $env } of references) hideValue(env[$env] ?? '');
  const own = references.find(({ $env }) => isOwnVariable($env));
  if (own !== undefined) throw ownVariable(own.$env);
  const { unset: missing, changed } = environmentIssues(env, references);
  if (missing.length > 0) throw unset(missing);
  if (changed.length > 0) throw differing(changed);
}

/** Whether a variable is for docs itself, which no file and no plan may send: one holds the token. */
export function isOwnVariable(name: string): boolean {
  return /^DOCS_/i.test(name);
}

function ownVariable(name: string) {
  const message = `environment variable ${name} is for docs itself, and its value is never sent; nothing was sent`;
  return usageError('env_refused', message, { hint: 'docs plan', details: { variables: [name] } });
}

function unset(names: readonly string[]) {
  const [first = ''] = names;
  const kept = first.startsWith(secretUrlName)
    ? '; journals and plans do not contain addresses with a password or token: set it to the address'
    : '';
  const message = `environment ${variables(names)} not set${kept}; nothing was sent`;
  return usageError('env_unset', message, { hint: `printenv ${first}`, details: { variables: [...names] } });
}

function differing(names: readonly string[]) {
  const message = `environment ${variables(names)} not as when the plan was made; nothing was sent`;
  return usageError('env_changed', message, { hint: 'docs plan', details: { variables: [...names] } });
}

function variables(names: readonly string[]): string {
  return `${names.length === 1 ? 'variable' : 'variables'} ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'}`;
}

/** Fields of the state that a request sets from the environment, with the salt of each. */
type Sealed = ReadonlyMap<string, FromEnvironment>;

/** The fields of body and state whose values come from the environment. */
export function sealedFields({ input }: Pick<JobChange, 'input'>, rule: Pick<Rule, 'wanted'>): Sealed {
  if (referencesIn(input.body).length === 0) return new Map();
  const wanted = rule.wanted?.(input, undefined) ?? {};
  const fields = [...Object.entries((input.body ?? {}) as object), ...Object.entries(wanted)];
  return new Map(
    fields.flatMap(([field, value]) => {
      const [first] = referencesIn(value);
      return first === undefined ? [] : [[field, first] as const];
    }),
  );
}

/** A state without the fields that come from the environment. */
export function withoutSealed<T>(state: T, sealed: Sealed): T {
  return withoutFields(state, [...sealed.keys()]);
}

/** A state without some fields. */
export function withoutFields<T>(state: T, fields: readonly string[]): T {
  if (fields.length === 0 || !isObject(state)) return state;
  return Object.fromEntries(Object.entries(state).filter(([field]) => !fields.includes(field))) as T;
}

/** A state in which values of the environment, present and wanted ones, are fingerprints: `sha256:…`. */
function veiled(state: State, sealed: Sealed): State {
  if (sealed.size === 0 || state === null) return state;
  const shown = (field: string, value: unknown) => {
    const reference = sealed.get(field);
    if (reference === undefined || (value ?? null) === null) return value;
    if (isFromEnvironment(value)) return `sha256:${value.fingerprint}`;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `sha256:${fingerprintOf(text, reference.salt)}`;
  };
  return Object.fromEntries(Object.entries(state).map(([field, value]) => [field, shown(field, value)]));
}

/** The rule, whose states hold fingerprints in place of values of the environment, and no address with a secret. */
export function sealedRule(rule: Rule, sealed: Sealed): Rule {
  const { read, wanted } = rule;
  return {
    ...rule,
    ...(read && { read: async (reads, input) => sealedState(await read(reads, input), sealed) }),
    ...(wanted && {
      wanted: (input, before) => {
        const state = wanted(input, before);
        return state === undefined ? undefined : sealedState(state, sealed);
      },
    }),
  };
}

/** A state as plans and journals hold it. */
export function sealedState(state: State, sealed: Sealed = new Map()): State {
  return withoutSecretsInState(veiled(state, sealed));
}

/**
 * Undo of changes that set fields from the environment. The journal does not hold what was in these fields, so
 * they stay as they are.
 */

/** What undo will be able to do about a request, given what it could do if it kept all fields. */
export function sealedForecast(rule: Rule, input: LooseInput, forecast: Forecast): Forecast {
  const sealed = sealedFields({ input }, rule);
  if (sealed.size === 0 || rule.creates || forecast.undo === 'none') return forecast;
  const why = whyLost(sealed);
  if (isEmpty(withoutSealed(input.body, sealed))) return { undo: 'none', why };
  return { undo: 'best-effort', why: [forecast.why, why].filter((one) => one !== undefined).join('; ') };
}

/** The way back of a change, as its rule says, without these fields. */
export function sealedBack(rule: Rule, change: PastChange): WayBack | NoWayBack {
  const { input } = change;
  const sealed = sealedFields(change, rule);
  const wayBack = (own: PastChange) => rule.back?.(own) ?? noOperation;
  if (sealed.size === 0) return wayBack(change);
  if (rule.creates) {
    const back = wayBack(change);
    return back.undo === 'none' ? back : { ...back, expect: withoutSealed(back.expect, sealed) };
  }
  const why = whyLost(sealed);
  const body = withoutSealed(input.body, sealed);
  if (isEmpty(body)) return { undo: 'none', why };
  const back = wayBack({ ...change, input: { ...input, body } });
  const reasons = [back.why, why].filter((one) => one !== undefined).join('; ');
  return back.undo === 'none' ? { ...back, why: reasons } : { ...back, undo: 'best-effort', why: reasons };
}

const noOperation: NoWayBack = { undo: 'none', why: 'the API cannot undo it' };

function isEmpty(body: unknown): boolean {
  return !isObject(body) || Object.keys(body).length === 0;
}

function whyLost(sealed: Sealed): string {
  const isAddress = [...sealed.values()].every(({ $env }) => $env.startsWith(secretUrlName));
  const is = isAddress ? 'has an address with a password or token' : 'came from the environment';
  return `${[...sealed.keys()].join(', ')} ${is}, and the journal does not have the previous value`;
}

import { listMembers, type Member } from '../api/resources/members.js';
import { getOrg } from '../api/resources/orgs.js';
import { listSamlProviders, type SamlProvider } from '../api/resources/saml.js';
import { DocsError, usageError } from '../base/errors.js';
import { sameName } from '../base/name.js';
import { safeLine } from '../output/text.js';
import { type Reading, readFailure } from '../snapshot/unread.js';
import { type CertificateFacts, certificateFacts } from './certificate.js';
import { isActiveAdmin } from './guards.js';

export interface ProviderFacts {
  id: string;
  label: string;
  /** Where its users sign in. */
  startURL: string;
  ssoURL: string | null;
  entityID: string | null;
  certificate: CertificateFacts;
  /** Why nobody can sign in through it, as phrases; empty where nothing speaks against it. */
  broken: string[];
  /** What will break it, as phrases. */
  warnings: string[];
}

/** The SAML providers; null where they cannot be read. */
interface Providers {
  facts: ProviderFacts[] | null;
  error?: DocsError;
}

/** @throws as `readFailure` */
export async function readProviders(
  { client, organizationId, signal }: Reading,
  nowMs: () => number,
): Promise<Providers> {
  const found: SamlProvider[] = [];
  try {
    for await (const one of client.call(listSamlProviders, { path: { organizationId } })) found.push(one);
  } catch (cause) {
    return { facts: null, error: readFailure(cause, signal) };
  }
  const now = nowMs();
  return { facts: found.map((one) => providerFacts(one, now)) };
}

/** @param nowMs by the platform's clock */
export function providerFacts(
  { id, label, ssoURL, entityID, certificate: text, service }: SamlProvider,
  nowMs: number,
): ProviderFacts {
  const certificate = certificateFacts(text, nowMs);
  const { state, expiresAt = '', validFrom = '', days = 0 } = certificate;
  const broken = [
    ...(ssoURL ? [] : ['ssoURL is missing']),
    ...(entityID ? [] : ['entityID is missing']),
    ...(state === 'missing' ? ['the certificate is missing'] : []),
    ...(state === 'unreadable' ? ['the certificate is not an X.509 certificate'] : []),
    ...(state === 'expired' ? [`the certificate expired on ${expiresAt.slice(0, 10)}`] : []),
    ...(state === 'not-yet-valid' ? [`the certificate is not valid before ${validFrom.slice(0, 10)}`] : []),
  ];
  const until = `the certificate expires on ${expiresAt.slice(0, 10)}, in ${days === 1 ? '1 day' : `${days} days`}`;
  const warnings = state === 'expires-soon' ? [until] : [];
  const { startURL } = service;
  return {
    id,
    label,
    startURL,
    ssoURL: ssoURL ?? null,
    entityID: entityID ?? null,
    certificate,
    broken,
    warnings,
  };
}

/**
 * Those that members are to sign in through.
 * @param wanted id or label; undefined for all
 * @throws DocsError not-found where none is the one that is wanted; usage `ambiguous_title`
 */
export function chosenProviders(
  facts: readonly ProviderFacts[],
  wanted: string | undefined,
): ProviderFacts[] {
  if (wanted === undefined) return [...facts];
  const [found = []] = [
    facts.filter(({ id }) => id === wanted),
    facts.filter(({ label }) => label === wanted),
    facts.filter(({ label }) => sameName(label, wanted)),
  ].filter((some) => some.length > 0);
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ');
    const message = `${found.length} SAML providers are called ${JSON.stringify(wanted)}: ${ids}. Pass the id.`;
    throw usageError('ambiguous_title', message, { hint: 'docs saml list' });
  }
  if (found.length > 0) return found;
  const message = `SAML provider ${JSON.stringify(wanted.slice(0, 100))} not found; nothing was changed`;
  throw new DocsError('not-found', 'not_found', message, { outcome: 'not-sent', hint: 'docs saml list' });
}

/** `Acme Staff: the certificate expired on 2020-01-01; entityID is missing`. */
export function providerWords({ label }: ProviderFacts, phrases: readonly string[]): string {
  return `${safeLine(label)}: ${phrases.join('; ')}`;
}

/**
 * Who could still administer an organization once members are linked: a linked member signs in through SSO alone;
 * where SSO is enforced, nobody else signs in.
 */

export interface WaysIn {
  /** null: not told, which counts as enforced. */
  enforced: boolean | null;
  /** Those that members are to sign in through; null where they could not be read. */
  providers: readonly ProviderFacts[] | null;
  /** All admins. */
  admins: readonly Member[];
  /** Ids of those who are to be linked. */
  linking: ReadonlySet<string>;
  /** Whether the identity provider would let a member in; undefined where that is not known. */
  inIdp?(member: Member): boolean;
}

/** Whether an admin who signs in without SSO could do so no longer: where it is enforced, none of them does. */
export function takesAway({ enforced, admins, linking }: WaysIn): boolean {
  return enforced !== true && admins.some((one) => isActiveAdmin(one) && !one.sso && linking.has(one.id));
}

/** Why no admin would be left with a way in, as sentences; empty where one is. */
export function lockOutReasons({ enforced, providers, admins, linking, inIdp }: WaysIn): string[] {
  const active = admins.filter(isActiveAdmin);
  const bySso = active.filter(({ id, sso }) => sso || linking.has(id));
  const byOther = enforced === false ? active.filter((one) => !bySso.includes(one)) : [];
  if (byOther.length > 0) return [];
  const isChanged = active.some(({ id, sso }) => !sso && linking.has(id));
  // Without enforcement, only linking the last admins takes something away.
  if (enforced === false && !isChanged) return [];
  const able = inIdp === undefined ? bySso : bySso.filter(inIdp);
  const broken = brokenWords(providers);
  const after = enforced === false ? 'All admins would sign in with SSO' : enforcedWords(enforced);
  if (bySso.length === 0)
    return [`${after}, and no admin is linked or would be, so no admin would be left with a way in.`];
  return [
    ...(broken === undefined ? [] : [`${after}, and ${broken}, so no admin would be left with a way in.`]),
    ...(able.length > 0
      ? []
      : [
          `${after}, and none of them is active in the identity provider, so no admin would be left with a way in.`,
        ]),
  ];
}

function enforcedWords(enforced: boolean | null): string {
  return enforced === null ? 'The platform does not show whether SSO is enforced' : 'SSO is enforced';
}

/** What linking puts at risk although an admin is left with a way in, as sentences. */
export function linkRisks(ways: WaysIn): string[] {
  const { enforced, providers, admins, linking } = ways;
  const broken = brokenWords(providers);
  const left = admins.filter((one) => isActiveAdmin(one) && !one.sso && !linking.has(one.id));
  const touched = admins.some((one) => isActiveAdmin(one) && !one.sso && linking.has(one.id));
  return [
    ...(broken === undefined ? [] : [`Linked members could not sign in now: ${broken}.`]),
    ...(enforced === false && touched && left.length === 0
      ? ['No admin would be left who signs in without SSO.']
      : []),
  ];
}

/** Why no provider lets anybody in; undefined where one does. */
function brokenWords(providers: WaysIn['providers']): string | undefined {
  if (providers === null) return 'the SAML providers cannot be read';
  if (providers.length === 0) return 'there is no SAML provider';
  if (providers.some(({ broken }) => broken.length === 0)) return undefined;
  return `no SAML provider works (${providers.map((one) => providerWords(one, one.broken)).join(', ')})`;
}

/** `ada@acme.example`, else the id. */
export function memberName({ id, user }: Member): string {
  return safeLine(user.email ?? id);
}

/**
 * Who could sign in, before and after these members are linked; and whether the token may link.
 * @param linking their ids
 * @param about.provider by id or label; default: all
 * @param about.inIdp who is in the identity provider, where that is known
 * @throws DocsError as `Client.call`
 */
export async function waysIn(
  reading: Reading,
  linking: readonly string[],
  { provider, inIdp, nowMs }: { provider?: string | undefined; inIdp?: WaysIn['inIdp']; nowMs(): number },
): Promise<WaysIn & { mayLink: boolean }> {
  const { client, organizationId } = reading;
  const { sso, permissions } = await client.call(getOrg, { path: { organizationId } });
  const { facts } = await readProviders(reading, () => client.platformNowMs ?? nowMs());
  const admins: Member[] = [];
  const query = { role: 'admin' } as const;
  for await (const one of client.call(listMembers, { path: { organizationId }, query }))
    if (one.role === 'admin') admins.push(one);
  return {
    mayLink: permissions?.admin !== false,
    enforced: sso ?? null,
    providers: facts && chosenProviders(facts, provider),
    admins,
    linking: new Set(linking),
    ...(inIdp !== undefined && { inIdp }),
  };
}

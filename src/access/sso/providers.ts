import { listSamlProviders, type SamlProvider } from '../../api/resources/saml.js';
import { DocsError } from '../../base/errors.js';
import { sameName } from '../../base/name.js';
import { safeLine } from '../../output/safe-text.js';
import { type Reading, readFailure } from '../../snapshot/unread.js';
import { type CertificateFacts, certificateFacts } from './certificate.js';

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
export interface Providers {
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
 * @throws DocsError not-found where none is the one that is wanted
 */
export function chosenProviders(
  facts: readonly ProviderFacts[],
  wanted: string | undefined,
): ProviderFacts[] {
  if (wanted === undefined) return [...facts];
  const byId = facts.filter(({ id }) => id === wanted);
  const found = byId.length > 0 ? byId : facts.filter(({ label }) => sameName(label, wanted));
  if (found.length > 0) return found;
  const message = `SAML provider ${JSON.stringify(wanted.slice(0, 100))} not found; nothing was changed.`;
  throw new DocsError('not-found', 'not_found', message, { outcome: 'not-sent', hint: 'docs saml list' });
}

/** `Acme Staff: the certificate expired on 2020-01-01; entityID is missing`. */
export function providerWords({ label }: ProviderFacts, phrases: readonly string[]): string {
  return `${safeLine(label)}: ${phrases.join('; ')}`;
}

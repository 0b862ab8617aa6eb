import { X509Certificate } from 'node:crypto';

/** What the signing certificate of an identity provider is worth at a moment. */

export const certificateStates = [
  ...(['valid', 'expires-soon', 'expired', 'not-yet-valid', 'unreadable', 'missing'] as const),
] as const;
export type CertificateState = (typeof certificateStates)[number];

export interface CertificateFacts {
  state: CertificateState;
  /** ISO 8601; absent where it cannot be read. */
  validFrom?: string;
  expiresAt?: string;
  /** Whole days from now until it expires; negative once it did. */
  days?: number;
}

const dayMs = 86_400_000;
/** A certificate that expires within these days is to be replaced. */
const soonDays = 30;

/**
 * Reads a certificate as platforms keep it: PEM, several PEM blocks (while keys are changed: the best one counts), or
 * the bare base64 of the metadata.
 * @param nowMs by the platform's clock
 */
export function certificateFacts(text: string | undefined, nowMs: number): CertificateFacts {
  if (text === undefined || text.trim() === '') return { state: 'missing' };
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [text];
  const found = blocks.map((block) => factsOf(block, nowMs));
  return found.reduce((best, one) => (rank(one) < rank(best) ? one : best));
}

function rank({ state }: CertificateFacts): number {
  return certificateStates.indexOf(state);
}

function factsOf(block: string, nowMs: number): CertificateFacts {
  const certificate = parsed(block);
  if (certificate === undefined) return { state: 'unreadable' };
  const [fromMs, untilMs] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  if (Number.isNaN(fromMs) || Number.isNaN(untilMs)) return { state: 'unreadable' };
  const days = Math.floor((untilMs - nowMs) / dayMs);
  const isSoon = untilMs - nowMs <= soonDays * dayMs;
  const lasting = fromMs > nowMs ? 'not-yet-valid' : isSoon ? 'expires-soon' : 'valid';
  const state = untilMs <= nowMs ? 'expired' : lasting;
  return {
    state,
    validFrom: new Date(fromMs).toISOString(),
    expiresAt: new Date(untilMs).toISOString(),
    days,
  };
}

function parsed(block: string): X509Certificate | undefined {
  try {
    return new X509Certificate(block.includes('-----BEGIN') ? block : Buffer.from(block, 'base64'));
  } catch {
    return undefined;
  }
}

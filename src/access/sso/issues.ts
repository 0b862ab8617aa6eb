import { counted } from '../../output/counted.js';
import { safeLine } from '../../output/safe-text.js';
import { type ProviderFacts, providerWords } from './providers.js';
import type { Issue, Readiness, ReadinessRow, RowFlag, RowStatus } from './report.js';

/** What stands against enforcing SSO, and what does not but deserves a look. */

export interface Judged extends Pick<Readiness, 'enforced' | 'providers' | 'idp' | 'rows'> {
  /** Those that members are to sign in through; null where they could not be read. */
  chosen: readonly ProviderFacts[] | null;
  /** Whether the whole list of members was read. */
  whole: boolean;
}

/** What blocks enforcement: nobody could administer the organization, or an admin would lose access. */
export function blockersOf(judged: Judged): Issue[] {
  return [...providerBlockers(judged.chosen), ...adminBlockers(judged)];
}

function providerBlockers(chosen: Judged['chosen']): Issue[] {
  if (chosen === null || chosen.some(({ broken }) => broken.length === 0)) return [];
  if (chosen.length === 0)
    return [
      {
        code: 'no_provider',
        message: 'The organization has no SAML provider, so nobody can sign in with SSO.',
      },
    ];
  return chosen.map((one) => ({
    code: 'provider_broken',
    message: `Nobody can sign in through SAML provider ${providerWords(one, one.broken)}.`,
  }));
}

function adminBlockers({ rows, whole, idp }: Judged): Issue[] {
  const admins = rows.filter(({ flags }) => flags.includes('admin') && !flags.includes('disabled'));
  const linked = admins.filter(({ status }) => status === 'linked');
  const missing = admins.filter((row) => isMissing(row));
  const able = linked.filter((row) => !isMissing(row) && !row.flags.includes('disabled-in-idp'));
  const off = admins.filter(({ flags }) => flags.includes('disabled-in-idp'));
  const issues: Issue[] = [];
  if (whole && linked.length === 0)
    issues.push(issue('no_admin_linked', 'No admin is linked, so none could sign in while SSO is enforced.'));
  else if (whole && idp !== null && able.length === 0)
    issues.push(
      issue(
        'no_admin_able',
        'No linked admin is active in the identity provider, so none could sign in.',
        linked,
      ),
    );
  if (missing.length > 0)
    issues.push(
      issue(
        'admin_not_in_idp',
        `${admin(missing.length)} not in the identity provider${names(missing)}.`,
        missing,
      ),
    );
  if (off.length > 0)
    issues.push(
      issue(
        'admin_disabled_in_idp',
        `${admin(off.length)} disabled in the identity provider${names(off)}.`,
        off,
      ),
    );
  return issues;
}

function isMissing({ status, flags }: ReadinessRow): boolean {
  const [missing, mismatch] = ['not-in-idp', 'email-mismatch'] as const;
  return [missing, mismatch].some((one) => status === one || flags.includes(one));
}

/** What does not block enforcement. */
export function warningsOf(judged: Judged): Issue[] {
  const { rows, idp, enforced } = judged;
  const having = (flag: RowFlag, ...of: RowStatus[]) =>
    rows.filter(({ flags, status }) => flags.includes(flag) && (of.length === 0 || of.includes(status)));
  const being = (status: RowStatus) => rows.filter((row) => row.status === status);
  const glass = having('break-glass');
  const unlinked = rows.filter(({ sso, flags }) => sso === false && !flags.includes('disabled'));
  const found: [rows: readonly ReadinessRow[], code: string, words: (count: string) => string][] = [
    [
      enforced === false ? [] : glass,
      'admin_locked_out',
      (n) => `${n} not linked, and SSO is ${enforced ? '' : 'perhaps '}enforced`,
    ],
    [unlinked, 'not_linked', (n) => `${n} not linked`],
    [being('email-mismatch'), 'email_mismatch', (n) => `${n} in the identity provider under another email`],
    [being('not-in-idp'), 'not_in_idp', (n) => `${n} not in the identity provider`],
    [
      [...having('not-in-idp', 'linked'), ...having('email-mismatch', 'linked')],
      'linked_not_in_idp',
      (n) => `${n} linked, but not in the identity provider under this email`,
    ],
    [
      having('disabled-in-idp', 'linked', 'disabled').filter(({ flags }) => !flags.includes('disabled')),
      'disabled_in_idp',
      (n) => `${n} disabled in the identity provider only`,
    ],
    [
      having('case-differs'),
      'case_differs',
      (n) => `${n} in the identity provider with other upper and lower case`,
    ],
    [having('outside-domains'), 'outside_domains', (n) => `${n} outside the organization's email domains`],
  ];
  const people = found.flatMap(([who, code, words]) =>
    who.length === 0 ? [] : [issue(code, `${words(are(who.length))}${names(who)}.`)],
  );
  return [...providerWarnings(judged), ...people, ...fileWarnings(idp)];
}

function providerWarnings({ chosen, providers }: Judged): Issue[] {
  const works = chosen?.some(({ broken }) => broken.length === 0) ?? false;
  return (providers ?? []).flatMap((one) => {
    const isBlocker = !works && chosen?.some(({ id }) => id === one.id);
    const phrases = [...(isBlocker ? [] : one.broken), ...one.warnings];
    const message = `SAML provider ${providerWords(one, phrases)}.`;
    return phrases.length === 0
      ? []
      : [{ code: one.broken.length > 0 ? 'provider_broken' : 'certificate_expires', message }];
  });
}

function fileWarnings(idp: Judged['idp']): Issue[] {
  if (idp === null) return [];
  const { duplicates, withoutEmail, unknownStates } = idp;
  const [twice] = duplicates;
  const [state] = unknownStates;
  return [
    ...(twice === undefined
      ? []
      : [
          issue(
            'duplicate_email',
            `${counted(duplicates.length, 'email')} of the file ${duplicates.length === 1 ? 'is' : 'are'} there more than once: ${safeLine(twice.email)} (lines ${twice.lines.slice(0, 5).join(', ')})${more(duplicates.length)}.`,
          ),
        ]),
    ...(withoutEmail.length === 0
      ? []
      : [
          issue(
            'row_without_email',
            `${counted(withoutEmail.length, 'row')} of the file without an email skipped: line ${withoutEmail[0]}${more(withoutEmail.length)}.`,
          ),
        ]),
    ...(state === undefined
      ? []
      : [
          issue(
            'unknown_state',
            `The file has a state that docs does not know, taken as active: ${safeLine(state.value)} (${counted(state.lines, 'row')})${more(unknownStates.length)}.`,
          ),
        ]),
  ];
}

function issue(code: string, message: string, rows: readonly ReadinessRow[] = []): Issue {
  const members = rows.flatMap(({ id, email }) =>
    id === undefined ? [] : [{ id, ...(email !== undefined && { email }) }],
  );
  return { code, message, ...(members.length > 0 && { members }) };
}

const mostNamed = 3;

/** `: ada@acme.example, bruno@acme.example and 12 more`. */
function names(rows: readonly ReadinessRow[]): string {
  const shown = rows.slice(0, mostNamed).map(({ email, id = '' }) => safeLine(email ?? id));
  const rest = rows.length - shown.length;
  return `: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function admin(count: number): string {
  return count === 1 ? '1 admin is' : `${count} admins are`;
}

function are(count: number): string {
  return count === 1 ? '1 person is' : `${count} people are`;
}

function more(count: number): string {
  return count > 1 ? ` and ${count - 1} more` : '';
}

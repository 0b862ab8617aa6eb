import { Type } from '../api/type.js';

const text = Type.String();

/** What `docs plan show --json` tells of approvals. */
export const ShownApprovals = Type.Object(
  {
    approved: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Whether it is approved under every policy in force that asks; null where none asks',
    }),
    by: Type.Array(text, { description: 'Whose approval holds: emails, or git:<commit>' }),
    given: Type.Array(
      Type.Object({
        email: text,
        when: Type.String({ description: 'ISO 8601' }),
        host: text,
        key: Type.String({ description: 'Fingerprint: SHA256:…' }),
        holds: Type.Union([Type.Boolean(), Type.Null()], { description: 'null where no policy asks' }),
        why: Type.Optional(Type.String({ description: 'Why it does not hold' })),
      }),
      { description: 'Every approval in <plan>.approvals' },
    ),
    missing: Type.Array(text, { description: 'What is missing, as sentences' }),
  },
  { description: 'Present where a policy asks for an approval, or somebody gave one' },
);

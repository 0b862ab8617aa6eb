/** The policies of `docs policy init`. */

const grammar = `# A rule is the words of a command, where * is any word and a last * one or more
# words, then attributes of what will be sent: "members update role=admin".
# danger=confirm and undo=none depend on the command. deny wins over ask, and
# ask over allow. To test a command: docs policy test -- <command>
`;

const limits = `# How much may change; deletions count as writes, too.
# budget: { writes: 20/run, deletes: 5/day }

# Only these organizations, by id.
# orgs: []

# Never changed or deleted, by id, title or email.
# protect: ["site:docs", "team:admins"]
`;

export const readOnlyPolicy = `# What docs may do: only read.
${grammar}
version: 1
default: deny

# Every request that only reads, and commands that write nothing.
allow: [read]

# deny: ["members *"]

${limits}`;

export const reviewedPolicy = `# What docs may do: read, and change what a person has approved.
${grammar}
version: 1
default: deny

# Every request that only reads, and commands that write nothing, so also
# --save-plan.
allow: [read]

# Only through a plan that somebody of "approve" has approved.
ask: ["*"]

# Not even with an approval.
deny:
  - members update role=admin
  - orgs update
  - saml create
  - saml update
  - saml delete

# Who may approve, by SSH public key. Until somebody is named, nothing can be
# changed.
# approve:
#   valid: 24h
#   by:
#     - { email: ada@acme.example, key: "ssh-ed25519 AAAA..." }

${limits}`;

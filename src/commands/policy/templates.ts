/** The policies of `docs policy init`. */

const grammar = `# A rule is the words of a command, in which * stands for a word and a last * for one or more of them, then
# attributes of what will be sent: "members update role=admin". danger=confirm and undo=none go by the command.
# deny wins over ask, ask over allow; "docs policy test -- <command>" tells what a policy says to a command.
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

# Every request that only reads, and commands that write nothing. --save-plan makes plans.
allow: [read]

# Only through a plan that somebody of "approve" has approved.
ask: ["*"]

# Not even with an approval.
deny: ["orgs *", "saml *", "members update role=admin"]

# Who approves, by SSH public key. Without this key nobody can approve, and so nothing can be changed.
# approve: { by: [{ email: ada@acme.example, key: "ssh-ed25519 AAAA..." }], valid: 24h }

${limits}`;

/** Who runs a command, as journals and the audit chain tell it. */
export interface Actor {
  kind: 'person' | 'ci' | 'agent';
  /** The signed-in member's email or id; of CI the system; else the user of this machine. */
  name: string;
  /** The agent's or the MCP client's name and version, where it says so. */
  client?: string;
  /** Id of the plan that is applied. */
  plan?: string;
  /** Who approved it: email, or `git:<commit>`. */
  approval?: string;
  /** Hashes of the policies in force. */
  policy?: readonly string[];
  /** The rule that allowed it, as written. */
  rule?: string;
}

/** Help topics and their summaries; topics.ts has the texts, loaded when asked for. */
export const helpTopicSummaries = {
  'exit-codes': 'List the exit codes and what they mean',
  environment: 'List the environment variables that docs reads',
  output: 'Choose formats and fields; use jq and pipes',
  context: 'Set the organization, space or site; use titles as ids',
  jobs: 'Change many items at once; resume and undo',
  previews: 'Choose a preview: --dry-run, impact, rehearse, --save-plan',
  plans: 'Save a change as a plan; review it, apply it once',
  'org-as-code': 'Keep the organization in files; plan, apply, find drift',
  policy: 'Limit commands on this machine; approve plans; audit',
  agents: 'Use docs from a coding agent: find, plan, apply, policies',
  flags: 'Explain the flags that all or many commands take',
  topics: 'List the help topics',
} as const;

export type HelpTopic = keyof typeof helpTopicSummaries;
export const helpTopicNames = Object.keys(helpTopicSummaries) as HelpTopic[];

/** Behind `help`, the word for the pages of the guide; guide-help.ts has the rest. */
export const guideTopic = { name: 'guide', summary: 'List the pages of the guide; read one' } as const;

export function isHelpTopic(word: string): word is HelpTopic {
  return Object.hasOwn(helpTopicSummaries, word);
}

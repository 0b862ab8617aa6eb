/** What sends nothing: the words for each tool, and the goals of docs on Node and without it, × an empty Node. */
export const starts = [
  {
    ...{ what: '`--version`', words: ['--version'], code: 0 },
    ...{ most: { node: 1.1, binary: 0.25 } },
    ...{ gh: { words: ['--version'] }, curl: { words: ['--version'] } },
  },
  {
    ...{ what: '`--help`', words: ['--help'], code: 0 },
    ...{ most: { node: 1.2, binary: 0.5 } },
    ...{ gh: { words: ['--help'] }, curl: { words: ['--help'] } },
  },
  {
    ...{ what: 'help of a group', words: ['spaces', '--help'], code: 0 },
    ...{ most: { node: 1.2, binary: 0.5 } },
    gh: { words: ['repo', '--help'] },
  },
  {
    ...{ what: 'a usage error', words: ['spaces', 'get', 's1', '--titel', 'x'], code: 2 },
    ...{ most: { node: 1.3, binary: 0.55 } },
    ...{ gh: { words: ['repo', 'view', '--titel', 'x'], code: 1 }, curl: { words: ['--titel'], code: 2 } },
  },
  {
    ...{ what: 'completion', words: ['__complete', 'spaces', ''], code: 0 },
    ...{ most: { node: 1.25, binary: 0.45 } },
    gh: { words: ['__complete', 'repo', ''] },
  },
] as const;

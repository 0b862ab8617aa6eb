/** Sample comments; `{title}` is the page or space. */
export const commentTexts: readonly string[] = [
  '“{title}” no longer matches the current release.',
  'Could we add an example to “{title}”? New people keep asking.',
  'The link in the second paragraph goes nowhere.',
  'Is this still true since the move in spring?',
  'I would put the warning *before* the command, not after it.',
  'This reads well now. One thing: who owns “{title}”?',
  'The command needs `--force` on older machines:\n\n```sh\nacme deploy --force\n```',
  'We say “workspace” here and “project” there. Which one is it?',
  'Too long for one page. Shall we split “{title}”?',
  'The table lacks a column for the limits.',
  'I followed this today and it worked, but step three took an hour.',
  'Please mention that one needs to be an admin for this.',
  'Typo in the heading.',
  'Can we show the old way too, for those who cannot upgrade yet?',
  'The picture shows the previous interface.',
  'Legal asked us to drop the last sentence.',
];

export const replyTexts: readonly string[] = [
  'Good catch, thank you.',
  'I will change it this week.',
  'It is still true: I asked the team.',
  'Done in the latest change request.',
  'Not sure. Let us ask support.',
  'Agreed.',
  'I would rather keep it short.',
  'Fixed.',
  'Can you say where exactly?',
  'That was on purpose, see the history.',
];

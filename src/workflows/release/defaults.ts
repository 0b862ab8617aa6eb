/** What `docs release cut` does where no flag says otherwise. */

/** How long a change waits for the platform to show what an earlier one made. */
export const defaultWait = '60s';

/** The title of a copy. */
export const defaultPattern = '{title} {version}';

import type { Settings } from '../../settings/settings.js';

/** The parts of the context, and what people call them. */

export const contextParts = ['profile', 'baseUrl', 'org', 'space', 'site'] as const;
export type ContextPart = (typeof contextParts)[number];

export const labels: Readonly<Record<ContextPart, string>> = {
  profile: 'profile',
  baseUrl: 'address',
  org: 'organization',
  space: 'space',
  site: 'site',
};

/** Titles of what the context names by id, where they were read. */
export type Titles = Partial<Record<ContextPart, string>>;

export function contextOf(settings: Settings, titles: Titles): Record<string, unknown> {
  return Object.fromEntries(
    contextParts.map((name) => {
      const title = titles[name];
      return [name, { value: null, ...settings[name], ...(title !== undefined && { title }) }];
    }),
  );
}

import { allResources, type Resource } from './resources.js';

/** How a backup has resources, from `stored` of the registry. */

export interface StoredResource extends Resource {
  /** The kind of its file in manifests. */
  kind: string;
  /** The folder with a folder for each, or for each of its parent: `teams`. None where its file is at the top. */
  folder?: string;
  /** The name of its file: `team.json`. */
  file: string;
  /** Whether the file lists several. */
  isList: boolean;
}

export const storedResources: readonly StoredResource[] = allResources.flatMap((resource) => {
  const { stored, name, printed } = resource;
  if (stored === undefined) return [];
  const [file = '', , folder] = stored.split('/').reverse();
  const kind = printed.backup;
  return [{ ...resource, kind, file, isList: kind !== name, ...(folder !== undefined && { folder }) }];
});

/** What a file at the top lists. */
export const storedLists = storedResources.filter(({ folder, isList }) => folder === undefined && isList);

/** What has a folder each. Spaces are read by themselves. */
export const storedFolders = storedResources.filter(
  ({ folder, isList, lists }) => folder !== undefined && folder !== 'spaces' && !isList && lists.length > 0,
);

/** What else is in the folder of each of these. */
export function storedBeside({ name, folder }: StoredResource): StoredResource[] {
  return storedResources.filter((one) => one.folder === folder && one.name !== name);
}

/** The folders at the top with a folder each, but for that of spaces. */
export const storedFolderNames = storedFolders.map(({ folder = '' }) => folder);

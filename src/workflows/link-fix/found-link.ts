import type { Finding } from '../link-check/finding.js';
import type { SpaceContent } from './contents.js';
import type { Found } from './new-target.js';
import type { WrittenLink } from './written-link.js';

/** A broken link on a page, with what was found for it. */
export interface FoundLink {
  finding: Finding;
  found: Found;
  /** The page that it is on; none where that could not be read. */
  on?: PageText;
  /** Where its target stands in the text of the page. */
  links: readonly WrittenLink[];
  /** The open change request that has it corrected. */
  fixedIn?: number;
}

/** A page with broken links, as it is now. */
export interface PageText {
  content: SpaceContent;
  pageId: string;
  markdown: string;
}

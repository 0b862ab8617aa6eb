import { type StubPlatform, stubPlatform } from './stub-platform.js';

/** A platform with as many pages of fifty members as a test says. */
export interface PagedMembers extends StubPlatform {
  pages: number;
  /** What it answers after them; 0: nothing follows. */
  fault: number;
  reset(): void;
}

const pageSize = 50;

/** @returns one that has one page; three members of it are admins */
export async function memberPages(): Promise<PagedMembers> {
  const platform = await stubPlatform((_, { searchParams }) => {
    const page = Number(searchParams.get('page') ?? 0);
    const { pages, fault } = paged;
    if (fault !== 0 && page === pages)
      return { status: fault, body: { error: { code: fault, message: 'No.' } } };
    if (searchParams.get('role') === 'admin') return { body: { items: members(page).slice(0, 3) } };
    const isLast = page === pages - 1 && fault === 0;
    return { body: { items: members(page), ...(!isLast && { next: { page: String(page + 1) } }) } };
  });
  const reset = () => {
    Object.assign(paged, { pages: 1, fault: 0 });
    platform.requests.length = 0;
  };
  const paged = Object.assign(platform, { pages: 1, fault: 0, reset });
  return paged;
}

function members(page: number): object[] {
  return Array.from({ length: pageSize }, (_, index) => {
    const at = page * pageSize + index;
    return {
      ...{ object: 'member', id: `m${at}`, role: 'read' },
      user: { displayName: `Member ${at}`, email: `m${at}@acme.example` },
    };
  });
}

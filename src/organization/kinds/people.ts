import { linkMemberSso, listMembers, type Member, updateMember } from '../../api/resources/members.js';
import { Type } from '../../api/type.js';
import type { Kind, LiveItem } from '../model.js';
import { fieldsFrom, fieldValues, listed, registered } from './declare.js';

/** Who is in the organization. */

const member = {
  ...registered('member'),
  fields: [
    ...fieldsFrom(updateMember, { role: { nullAs: 'guest' } }),
    {
      key: 'sso',
      name: 'sso',
      schema: Type.Boolean({ description: linkMemberSso.summary }),
      setBy: { op: linkMemberSso, body: () => undefined },
      oneWay: { to: true, message: 'The API cannot remove a member from SSO.' },
    },
  ],
};

export const people: Kind = {
  ...member,
  spot: { file: 'people.yaml', list: 'people' },
  parents: ['root'],
  key: { field: 'email' },
  reads: [listMembers],
  list(reading) {
    const shared = new Map<string, PersonRole>();
    return listed(reading, listMembers, (one) => new Person(one, shared));
  },
  cannot: {
    create: {
      message: 'The API cannot create a member.',
      hint: ({ key }) => `Invite ${key}, who then joins.`,
    },
  },
};

/** What many people have alike: a part of the resource, and the fields that it shows. */
interface PersonRole extends Pick<Member, 'role' | 'sso'> {
  fields: LiveItem['fields'];
}

/**
 * A member. There may be 100,000, so each holds what differs, and gives the rest when it is asked for. Of the resource that
 * is as much as undo needs.
 */
class Person implements LiveItem {
  readonly id: string;
  readonly title: string;
  readonly natural?: string;
  readonly #role: PersonRole;
  readonly #userId: string;
  readonly #isDisabled: boolean;

  /** @param known roles so far, by role and SSO */
  constructor({ id, role, sso, disabled, user }: Member, known: Map<string, PersonRole>) {
    const { email, displayName } = user;
    this.id = id;
    this.title = email ?? displayName;
    if (email !== undefined) this.natural = email;
    const key = `${role} ${sso}`;
    const own = known.get(key) ?? { role, sso, fields: fieldValues(member.fields, { role, sso }) };
    known.set(key, own);
    this.#role = own;
    this.#userId = user.id === id ? id : user.id;
    this.#isDisabled = disabled;
  }

  get kind() {
    return member.name;
  }

  get index() {
    return 0;
  }

  get fields() {
    return this.#role.fields;
  }

  get resource() {
    const { role, sso } = this.#role;
    const user = { id: this.#userId, ...(this.natural !== undefined && { email: this.natural }) };
    // A disabled admin counts for no guard.
    return { id: this.id, role, sso, ...(this.#isDisabled && { disabled: true }), user };
  }
}

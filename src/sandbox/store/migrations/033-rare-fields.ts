/** Fields that the platform itself sets: no operation of the API does. Objects are JSON. */
export const rareFields = `
ALTER TABLE organizations ADD COLUMN custom_hostname TEXT;
ALTER TABLE organizations ADD COLUMN trial TEXT;
ALTER TABLE organizations ADD COLUMN blocked TEXT;
ALTER TABLE organizations ADD COLUMN billing_migration TEXT;
ALTER TABLE sites ADD COLUMN icon TEXT;
ALTER TABLE comments ADD COLUMN review_id TEXT;
`;

/**
 * The scope of those rows in the table of counts that count the records of an entity in all scopes of an instance. The rows of the scopes
 * together may count more, because a record may belong to several.
 */
export const allScopes = 0;

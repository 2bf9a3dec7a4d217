/**
 * Stands for no scope in the table of counts. Its row has the number of an instance's records; the rows of the scopes together may have
 * more, because a record may belong to several.
 */
export const allScopes = 0;

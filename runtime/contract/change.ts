/** What may happen to a cached record. */
export const changeKinds = ["created", "updated", "deleted"] as const;
export type ChangeKind = (typeof changeKinds)[number];

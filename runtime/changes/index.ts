// The functions and types of this room that other rooms use.

export { changeParams, checkChanges, type FeedRequest } from "./check.ts";
export { type FeedAnswer, type FeedContext, type FeedEntry, readFeed } from "./feed.ts";
export { changeLimits } from "./limits.ts";
export { continued } from "./place.ts";

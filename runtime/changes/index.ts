// The functions and types of this room that other rooms use.

export { checkChanges, type FeedRequest } from "./check.ts";
export { type FeedAnswer, type FeedContext, type FeedEntry, lastPlace, readFeed } from "./feed.ts";
export { changeLimits } from "./limits.ts";
export { continued, cursorOf, type FeedPlace } from "./place.ts";

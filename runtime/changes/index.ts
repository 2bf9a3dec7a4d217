// The functions and types of this room that other rooms use.

export { checkChanges, type FeedRequest } from "./check.ts";
export { type FeedAnswer, type FeedContext, type FeedEntry, lastPosition, readFeed } from "./feed.ts";
export { changeLimits } from "./limits.ts";
export { continued, cursorOf, type FeedPosition } from "./position.ts";

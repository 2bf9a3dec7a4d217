// Functions on texts that depend on no other room.
export * from "./code-points.ts";
export * from "./edit-distance.ts";
export * from "./nearest.ts";
export * from "./snake-case.ts";

// Functions of texts that know nothing of the rest.
export * from "./code-points.ts";
export * from "./edit-distance.ts";
export * from "./nearest.ts";
export * from "./snake-case.ts";

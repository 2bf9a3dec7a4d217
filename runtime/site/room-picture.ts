import { type EdgeLabel, Graph, type GraphLabel, layout, type NodeLabel } from "@dagrejs/dagre";
import { arrowSvg, framed } from "./frame.ts";
import { escapeHtml } from "./html.ts";

/** A room, and the rooms that it imports from. Those that are not in the picture are left out of it. */
export interface DrawnRoom {
  readonly name: string;
  readonly imports: readonly string[];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const box = { width: 100, height: 36 } as const;
const layers = { rankdir: "TB", nodesep: 12, ranksep: 32, marginx: 4, marginy: 4 } as const;

/** Draws rooms in layers: each stands above those that it imports from. What follows from other arrows has no arrow of its own. */
export function roomPicture(rooms: readonly DrawnRoom[]): string {
  const id = (rooms[0]?.name ?? "").replace(/\W+/g, "-");
  const edges = withoutDetours(edgesOf(rooms));
  const graph = new Graph<GraphLabel, NodeLabel, EdgeLabel>();
  graph.setGraph({ ...layers });
  for (const { name } of rooms) graph.setNode(name, { ...box });
  for (const [from, to] of edges) graph.setEdge(from, to, {});
  layout(graph);
  const boxes = rooms.map(({ name }) => boxSvg(name, graph.node(name)));
  const arrows = edges.map(([from, to]) => arrowSvg(id, curve(graph.edge(from, to)?.points ?? [])));
  const { width = 0, height = 0 } = graph.graph();
  const label = `Rooms, and what they import from: ${edges.map(([from, to]) => `${from} from ${to}`).join("; ")}.`;
  return framed({ id, label, width: Math.ceil(width), height: Math.ceil(height), shapes: [...arrows, ...boxes] });
}

type Edge = readonly [from: string, to: string];

function edgesOf(rooms: readonly DrawnRoom[]): Edge[] {
  const names = new Set(rooms.map(({ name }) => name));
  return rooms.flatMap(({ name, imports }) => imports.filter((to) => names.has(to)).map((to): Edge => [name, to]));
}

/** The edges without those between two rooms that the others connect as well. */
function withoutDetours(edges: readonly Edge[]): Edge[] {
  const kept = new Set(edges);
  for (const edge of edges) {
    kept.delete(edge);
    if (!isReached(edge, [...kept])) kept.add(edge);
  }
  return edges.filter((edge) => kept.has(edge));
}

function isReached([from, to]: Edge, edges: readonly Edge[]): boolean {
  const seen = new Set([from]);
  for (const room of seen) for (const [one, next] of edges) if (one === room) seen.add(next);
  return seen.has(to);
}

/** A box with the last part of the name: the first one is the same for nearly all rooms of a picture. */
function boxSvg(name: string, { x = 0, y = 0 }: Partial<Point> = {}): string {
  const rect = `<rect x="${x - box.width / 2}" y="${y - box.height / 2}" width="${box.width}" height="${box.height}" rx="8"/>`;
  return `${rect}<text class="room" x="${x}" y="${y}">${escapeHtml(name.split("/").at(-1) ?? "")}</text>`;
}

/** A smooth line that begins and ends in the first and the last point and bends at those between. */
function curve(points: readonly Point[]): string {
  const text = ({ x, y }: Point) => `${Math.round(x)} ${Math.round(y)}`;
  const middle = (a: Point, b: Point) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  const [first, ...rest] = points;
  if (first === undefined) return "";
  const bends = rest.slice(0, -1).map((point, at) => {
    const next = rest[at + 1] ?? point;
    return `Q${text(point)} ${text(at === rest.length - 2 ? next : middle(point, next))}`;
  });
  return `M${text(first)}${bends.length === 0 ? rest.map((point) => `L${text(point)}`).join("") : bends.join("")}`;
}

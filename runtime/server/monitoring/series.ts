// Series for Prometheus, in its text format. The labels of a series are looked up once where it is counted for every request; the package
// that measures the process itself is loaded only when somebody reads the metrics.

/** The media type of the text format of Prometheus. */
export const textType = "text/plain; version=0.0.4; charset=utf-8";

type Labels = Readonly<Record<string, string | number>>;

export interface MetricOptions {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** Called before the metric is read. */
  readonly collect?: () => void;
}

/** The metrics of a process, in the order in which they were made. */
export class Registry {
  readonly #metrics: Metric<unknown>[] = [];

  counter(options: MetricOptions): Counter {
    return this.#add(new Counter(options, "counter"));
  }

  gauge(options: MetricOptions): Counter {
    return this.#add(new Counter(options, "gauge"));
  }

  histogram(options: MetricOptions, buckets: readonly number[]): Histogram {
    return this.#add(new Histogram(options, buckets));
  }

  #add<One extends Metric<unknown>>(metric: One): One {
    this.#metrics.push(metric);
    return metric;
  }

  text(): string {
    return this.#metrics.map((metric) => `${metric.text()}\n`).join("\n");
  }
}

/** Series by the values of their labels, one label after the other: each request looks for several, whose text would cost more. */
interface Found<One> {
  readonly inner: Map<string | number, Found<One>>;
  series?: One;
}

/** One metric: a series for each combination of its labels' values that was seen. */
abstract class Metric<One> {
  readonly #options: MetricOptions;
  readonly #type: string;
  readonly #series = new Map<string, One>();
  #found: Found<One> = { inner: new Map() };

  constructor(options: MetricOptions, type: string) {
    this.#options = options;
    this.#type = type;
  }

  protected abstract make(): One;

  /** The lines of a series. @param labels its labels as a text, such as `a="1",b="2"` */
  protected abstract lines(name: string, labels: string, series: One): readonly string[];

  /** The series with these labels, which may be kept as long as `reset` is not called. */
  of(labels: Labels = {}): One {
    const { labels: names = [] } = this.#options;
    let found = this.#found;
    for (const name of names) {
      const value = labels[name] ?? "";
      let next = found.inner.get(value);
      if (next === undefined) {
        next = { inner: new Map() };
        found.inner.set(value, next);
      }
      found = next;
    }
    found.series ??= this.#named(names.map((name) => `${name}="${escaped(labels[name] ?? "")}"`).join());
    return found.series;
  }

  #named(key: string): One {
    const series = this.#series.get(key) ?? this.make();
    this.#series.set(key, series);
    return series;
  }

  /** Forgets all series. */
  reset(): void {
    this.#series.clear();
    this.#found = { inner: new Map() };
  }

  text(): string {
    const { name, help, labels = [], collect } = this.#options;
    collect?.();
    // A metric without labels has its series from the beginning.
    if (labels.length === 0) this.of();
    const lines = [...this.#series].flatMap(([key, series]) => this.lines(name, key, series));
    return [`# HELP ${name} ${help}`, `# TYPE ${name} ${this.#type}`, ...lines].join("\n");
  }
}

interface Count {
  value: number;
}

/** A counter or a gauge. */
export class Counter extends Metric<Count> {
  add(labels: Labels, more = 1): void {
    this.of(labels).value += more;
  }

  set(labels: Labels, value: number): void {
    this.of(labels).value = value;
  }

  protected override make(): Count {
    return { value: 0 };
  }

  protected override lines(name: string, labels: string, { value }: Count): readonly string[] {
    return [`${name}${labels === "" ? "" : `{${labels}}`} ${value}`];
  }
}

/** Counts of one histogram by its buckets. */
class Distribution {
  readonly #bounds: readonly number[];
  /** How many values each bucket has that no smaller one has; the last one has all that are larger than every bound. */
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    let at = 0;
    while (value > (this.#bounds[at] ?? Number.POSITIVE_INFINITY)) at++;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += value;
  }

  lines(name: string, labels: string): readonly string[] {
    const more = labels === "" ? "" : `,${labels}`;
    let count = 0;
    const buckets = this.#counts.map((own, at) => {
      count += own;
      return `${name}_bucket{le="${this.#bounds[at] ?? "+Inf"}"${more}} ${count}`;
    });
    const own = labels === "" ? "" : `{${labels}}`;
    return [...buckets, `${name}_sum${own} ${this.#sum}`, `${name}_count${own} ${count}`];
  }
}

export class Histogram extends Metric<Distribution> {
  readonly #bounds: readonly number[];

  constructor(options: MetricOptions, bounds: readonly number[]) {
    super(options, "histogram");
    this.#bounds = bounds;
  }

  protected override make(): Distribution {
    return new Distribution(this.#bounds);
  }

  protected override lines(name: string, labels: string, series: Distribution): readonly string[] {
    return series.lines(name, labels);
  }
}

/** A label's value in the text format. */
function escaped(value: string | number): string {
  if (typeof value === "number") return String(value);
  return /[\\\n"]/.test(value) ? value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"') : value;
}

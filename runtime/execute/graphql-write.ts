import { doubtAdvice, TenonError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { type Answer, type GraphqlWrite, warning } from "../contract/index.ts";
import { type Environment, effectOf, readState } from "./environment.ts";
import { answerPath } from "./graphql-get.ts";
import { valueAtPath } from "./record-reader.ts";
import { documentVariables } from "./variables.ts";

type Row = Record<string, unknown>;

/** Mistakes of one payload that a caller sees. */
const mostMistakes = 5;

/**
 * Runs a mutation. It is sent once, unless it is idempotent.
 *
 * @throws TenonError `platform_rejected` when the payload says that nothing was done
 */
export async function writeGraphql(operation: GraphqlWrite, env: Environment): Promise<Answer<Row | null>> {
  const { instance, request, call } = env;
  const { document, read } = instance.selections.get(operation.document, operation.record, request.choice);
  const payload = operation.path.slice(0, 1);
  const answer = await instance.client.mutate(
    {
      document,
      variables: documentVariables(operation, request.params),
      effect: effectOf(request.action.traits),
      usable: (data) => isObject(valueAtPath(data, payload)),
    },
    call,
  );
  checkDone(operation, answer.data, env);
  // The write was done, so an error inside its record must not look like a failure of the write.
  for (const fault of answer.faults) {
    const error = instance.client.judge.error(fault, answer.headers);
    env.warnings.add({
      path: answerPath(fault.path.slice(operation.path.length), "data"),
      code: error.code,
      message: error.message,
    });
  }
  const record = valueAtPath(answer.data, operation.path);
  if (isObject(record)) return { data: read(record, "data", readState(env)), meta: env.warnings.meta };
  if (operation.success === undefined && operation.mistakes === undefined)
    throw new TenonError("write_in_doubt", `${instance.connector.title} sent no record. ${doubtAdvice}`);
  env.warnings.add(warning("data", "no_content"));
  return { data: null, meta: env.warnings.meta };
}

/** Reads what the payload itself says of the caller's mistakes. */
function checkDone({ success, mistakes }: GraphqlWrite, data: unknown, { instance }: Environment): void {
  const { title, client } = { title: instance.connector.title, client: instance.client };
  const listed = mistakes === undefined ? null : valueAtPath(data, mistakes.path);
  const found: readonly unknown[] = Array.isArray(listed) ? listed : [];
  if (found.length > 0) {
    const first = isObject(found[0]) ? found[0] : undefined;
    const told = (one: unknown) => (isObject(one) ? one["message"] : one);
    const messages = found.slice(0, mostMistakes).map((one) => client.judge.text(String(told(one) ?? "")));
    const field = mistakes?.field === undefined ? undefined : fieldText(first?.[mistakes.field]);
    const name = mistakes?.code === undefined ? undefined : first?.[mistakes.code];
    const rule = client.judge.rule({
      type: typeof name === "string" ? name : undefined,
      message: messages[0] ?? "",
      path: [],
      locations: [],
      extensions: {},
    });
    const code = rule?.code === "not_found" || rule?.code === "platform_forbidden" ? rule.code : "platform_rejected";
    const message = `${title} did nothing: ${messages.join("; ")}`;
    throw new TenonError(code, message, field === undefined ? {} : { fields: [{ name: field, message }] });
  }
  const done = success === undefined ? true : valueAtPath(data, success);
  if (done === false) throw new TenonError("platform_rejected", `${title} did nothing and did not say why.`);
  if (done !== true) throw new TenonError("write_in_doubt", `${title} did not say whether it did anything. ${doubtAdvice}`);
}

/** The name of the wrong input, which some platforms write as a list of keys. */
function fieldText(value: unknown): string | undefined {
  if (typeof value === "string" && value !== "") return value;
  return Array.isArray(value) && value.length > 0 ? value.map(String).join(".") : undefined;
}

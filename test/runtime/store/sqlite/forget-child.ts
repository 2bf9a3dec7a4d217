import { Catalogue } from "../../../../runtime/store/sqlite/tables/catalogue.ts";
import { Writer } from "../../../../runtime/store/sqlite/write/writer.ts";

// A process that forgets a scope, and kills itself after some of its transactions. Started by the test with what is to be done as JSON.

const { file, plans, collection, transactions } = JSON.parse(process.argv.at(-1) ?? "");
const writer = new Writer(file, new Catalogue(plans), () => undefined);
for (let done = 0; done < transactions; done++) writer.forgetSome(collection, collection.scope);
process.kill(process.pid, "SIGKILL");

# `make run` starts the service, `make test` runs all tests. Everything that is fetched stays inside this folder.

SHELL := /bin/bash
.DEFAULT_GOAL := help

# When the machine's own Node is older than 24, Node 24 is installed from an npm package and comes first on PATH in all recipes.
NODE_MAJOR := 24
OWN_NODE := $(shell node -p 'parseInt(process.versions.node) < $(NODE_MAJOR) ? "old" : "fits"' 2>/dev/null)
ifneq ($(OWN_NODE),fits)
NODE := .node/bin/node
export PATH := $(CURDIR)/.node/bin:$(PATH)
endif
INSTALLED := node_modules/.package-lock.json
# The site is built anew when something is newer than its first page.
DOCS := dist/docs/index.html
# So is the command, whose joined modules start faster than the sources.
COMMAND := dist/bundle/main.js
MACHINE := $(shell uname -s | sed 's/Linux/linux/;s/Darwin/darwin/')-$(shell uname -m | sed 's/x86_64/x64/;s/aarch64/arm64/')

.PHONY: help setup run build publish generate watch check-generated docs check format test quick watch-test mutate simulate histories chaos bench drafts kernel extract

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 18

setup: $(INSTALLED) ## install the packages, and Node if needed

.node/bin/node:
	npm install --prefix .node --no-save --no-package-lock --no-audit --no-fund --loglevel=error node-$(MACHINE)@$(NODE_MAJOR)
	mkdir -p .node/bin
	ln -sf ../node_modules/node-$(MACHINE)/bin/node .node/bin/node

$(INSTALLED): package.json package-lock.json | $(NODE)
	npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

run: setup $(DOCS) $(COMMAND) ## start the service (on each platform with its token, otherwise on simulated platforms)
	@exec node $(COMMAND) serve --examples

build: setup ## compile the package into dist/ (`npm pack` does it too)
	@node generator/build-package.ts

publish: setup ## check everything that a release needs; YES=1 also publishes both packages
	@node generator/publish.ts $(if $(YES),--yes)

generate: setup ## write generated/ from the specs
	@node generator/cli.ts

watch: setup ## generate again on every save
	@exec node generator/cli.ts --watch

check-generated: setup ## fail when generated/ differs from the specs
	@node generator/cli.ts --check

docs: setup $(DOCS) ## build the documentation in dist/docs

$(COMMAND): $(shell find generated generator runtime -name '*.[jt]s' 2>/dev/null) package-lock.json
	@node generator/build-package.ts --bundle

$(DOCS): $(shell find generated generator/print runtime spec/connector.schema.json spec/simulator.schema.json -type f 2>/dev/null)
	@node runtime/site/main.ts

check: setup ## check lint rules, format, types and generated files
	npx biome check .
	npx tsc
	@node generator/cli.ts --check

format: setup ## format the sources
	npx biome check --write .

# With this cache modules are compiled only once; tests start hundreds of threads and processes.
run test quick watch-test mutate simulate histories chaos: export NODE_COMPILE_CACHE := $(CURDIR)/.cache/compile

test: check ## run all checks and all tests
	npx vitest run --config test/vitest.config.ts

quick: setup ## run for at most a minute the tests that the changes since a revision reach, the nearest first (SINCE=main)
	@node test/quick.ts $(SINCE)

watch-test: setup ## run on every save the tests that the saved file reaches
	@exec npx vitest watch --config test/vitest.config.ts --changed HEAD --passWithNoTests

mutate: setup ## plant small faults one by one and see which the tests miss (SEED=1 COUNT=40 MINUTES=20; ROOM=runtime/search, SINCE=main or TESTS=test/runtime for a part)
	@SEED=$(SEED) COUNT=$(or $(COUNT),40) MINUTES=$(or $(MINUTES),20) ROOM=$(ROOM) SINCE=$(SINCE) TESTS="$(TESTS)" node test/mutate/main.ts

simulate: setup ## simulate services that share a store, under virtual time, and print what that covered (SEED=1 HOURS=48; FAULT=all finds the planted faults)
	@SEED=$(or $(SEED),1) HOURS=$(or $(HOURS),48) MINUTES=$(or $(MINUTES),10) FAULT="$(FAULT)" node test/simulate/main.ts

histories: setup ## check what services and workers on PostgreSQL answered while they were killed, suspended and cut off (SEED=1 COUNT=200)
	@SEED=$(or $(SEED),1) COUNT=$(or $(COUNT),200) node test/histories/main.ts

chaos: setup ## kill a sync, the embedding of its texts, and all on the way of a change, and break PostgreSQL, 200 times each; takes many minutes (KILLS=200, SEED=1)
	@TENON_TEST_KILLS=$(or $(KILLS),200) TENON_TEST_CHAOS=$(or $(KILLS),200) TENON_TEST_SEED=$(or $(SEED),1) npx vitest run --config test/vitest.config.ts test/e2e/sync-kill.test.ts test/e2e/semantic-kill.test.ts test/e2e/changes-kill.test.ts test/e2e/postgres-chaos.test.ts test/e2e/postgres-chaos-records.test.ts test/e2e/postgres-chaos-service.test.ts test/runtime/postgres/streaming-replica.test.ts

bench: setup ## run the benchmarks (NAME=agents|answers|attack|attack-platform|changes|execute|generator|indexes|planner|platforms|postgres|search|semantic|service|sql|start|sync for one of them, RECORD=1 for the front page)
	@$(if $(RECORD),TENON_BENCH_RECORD=1) node test/bench/main.ts $(NAME)
	@$(if $(RECORD),npx biome format --write runtime/site/figures.json)

drafts: setup ## draft a connector from every API description in a folder, and say what came of each (FROM=folder)
	@node test/bench/drafts.ts "$(FROM)"

kernel: setup ## compile runtime/semantic/kernel.wat to WebAssembly
	@UPDATE_KERNEL=1 npx vitest run --config test/vitest.config.ts test/runtime/semantic/kernel.test.ts

# GitHub's, for example: make extract CONNECTOR=github FROM=@octokit/openapi@23.0.2/generated/api.github.com.json
extract: setup ## cut out of a platform's description what a spec uses (CONNECTOR=name FROM=package@version/path, address or file; AS=origin)
	@node runtime/cli/tenon.js spec extract "$(CONNECTOR)" "$(FROM)" $(if $(filter-out default,$(origin AS)),--as "$(AS)")

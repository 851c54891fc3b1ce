# Shortcuts; meson does the work. Plain `make` lists the targets.

BUILD    = build
GRAYLING = $(BUILD)/tools/grayling
SOURCES  = $(shell git ls-files '*.c' '*.h')
PROFILED = build-profiled
TIME     = 600
KILLS    = 1000
ENDS     = 500
FILES    = 10000
MUTATED  = 1000
CONVERSATIONS = 10000
EVERY    = places
# Many tests wait for engines, runs and servers: two more at once than there are cores.
AT_ONCE  = $(shell expr $$(nproc) + 2)
SCRIPT   = PYTHONPATH=tests/helpers GRAYLING_BUILD=$(BUILD) python3

help:
	@echo 'make evolve        install, build, and evolve an evaluation from grandmaster games'
	@echo 'make evolve-search install, build, and evolve a search from tactical positions'
	@echo 'make test          install, build, and run the tests of modules and commands'
	@echo 'make test-slow     run the tests that take longer'
	@echo 'make bench         measure the speed of this machine'
	@echo 'make profiled      build programs in $(PROFILED) that are some 7 % faster, for long runs'
	@echo 'make fuzz          run each fuzz target for $(TIME) seconds (TIME=30 for less)'
	@echo 'make torture       kill every command at $(KILLS) random moments; what is resumed must be the same;'
	@echo '                   and end $(ENDS) runs while they are read'
	@echo 'make damage        damage $(FILES) run files: no crash, no hang, no wrong value (hours, or from SEED=1 FIRST=500 on)'
	@echo 'make conversations $(CONVERSATIONS) random conversations over UCI: each search has one legal answer'
	@echo 'make mutated-games mutate $(MUTATED) files of games and positions: none is drawn that did not occur'
	@echo 'make failures      let calls fail from each place in each command: memory, files, processes (hours)'
	@echo 'make power-cuts    cut the power at every moment of a short run of each phase (some minutes)'
	@echo 'make foreign       compare with a big-endian and a 32-bit machine, under qemu'
	@echo 'make mutants       change the core here and there: how many changes the unit tests find'
	@echo 'make format        format the sources; make check-format only checks'
	@echo 'make ci            run every check (.ci/run)'
	@echo 'make install       install the commands, manual pages and recipes under /usr/local'

# Each run has its own file, such as runs/quick-20240131-220000.db, with its output beside it.
evolve: build
	@mkdir -p runs
	$(GRAYLING) evolve params/recipes/quick.yaml -o runs/quick-$$(date +%Y%m%d-%H%M%S).db

evolve-search: build
	@mkdir -p runs
	$(GRAYLING) evolve params/recipes/search-quick.yaml -o runs/search-quick-$$(date +%Y%m%d-%H%M%S).db

test: build
	meson test -C $(BUILD) --no-suite slow --print-errorlogs --num-processes $(AT_ONCE)

test-slow: build
	meson test -C $(BUILD) --suite slow --print-errorlogs --num-processes $(AT_ONCE)

bench: build
	meson test -C $(BUILD) --benchmark --verbose
	$(GRAYLING) bench

build: packages
	@test -f $(BUILD)/build.ninja || meson setup $(BUILD) -Dnative=true
	@ninja -C $(BUILD)

# Profile-guided optimisation: a short search shows gcc which branches are taken. The programs give
# the same results, faster.
profiled: packages
	@test -f $(PROFILED)/build.ninja || meson setup $(PROFILED) -Dnative=true -Db_lto=true -Dbench=false
	@find $(PROFILED) -name '*.gcda' -delete
	@meson configure $(PROFILED) -Db_pgo=generate
	@ninja -C $(PROFILED) tools/grayling tools/grayling-uci
	@OMP_NUM_THREADS=1 $(PROFILED)/tools/grayling bench
	@OMP_NUM_THREADS=1 $(PROFILED)/tools/grayling solve data/tactics-train.epd --nodes 20000 \
	    --params params/paper-search.yaml >/dev/null
	@OMP_NUM_THREADS=1 $(PROFILED)/tools/grayling solve data/tactics-train.epd --nodes 20000 \
	    --eval params/games-eval.yaml --params params/games-search.yaml >/dev/null
	@echo quit | $(PROFILED)/tools/grayling-uci >/dev/null
	@meson configure $(PROFILED) -Db_pgo=use
	@ninja -C $(PROFILED) tools/grayling tools/grayling-uci

packages:
	@.ci/install

fuzz:
	@.ci/install ci
	.ci/fuzz $(TIME)

torture: build
	$(SCRIPT) tests/disturbed/kill_runs.py $(KILLS) $(SEED)
	$(SCRIPT) tests/disturbed/end_runs.py $(ENDS) $(SEED)

# With clang's sanitizers, in the tree of the fuzz targets.
damage: BUILD = build-fuzz
damage:
	@.ci/install ci
	@test -f build-fuzz/build.ninja || CC=clang-14 meson setup build-fuzz -Dfuzz=true -Dbench=false \
	    -Db_lundef=false -Dbuildtype=debugoptimized
	@ninja -C build-fuzz tools/grayling
	$(SCRIPT) tests/disturbed/damage_runs.py $(FILES) \
	    $(or $(SEED),$(if $(FIRST),$(error FIRST needs SEED, whose files it goes on with))) $(FIRST)

conversations: build
	$(SCRIPT) tests/commands/uci_conversation.py $(CONVERSATIONS) $(SEED)

mutated-games: build
	@.ci/install ci
	$(SCRIPT) tests/disturbed/mutate_games.py $(MUTATED) $(SEED)

failures: build
	$(SCRIPT) tests/disturbed/fail_runs.py $(EVERY) $(NAME)

power-cuts: build
	$(BUILD)/tests/power_cuts $(CURDIR)

foreign: build
	tests/foreign.sh $(GRAYLING)

mutants: build
	bench/mutants.py

format:
	@clang-format-14 -i $(SOURCES)

check-format:
	@clang-format-14 --dry-run -Werror $(SOURCES)

ci:
	.ci/run

install: build
	meson install -C $(BUILD)

.PHONY: help evolve evolve-search test test-slow bench build profiled packages fuzz torture damage conversations mutated-games failures power-cuts \
    foreign mutants format check-format ci install

# The front door. `make` builds libjvm.so, the agents and the images; see README.md for the rest.
#
#   BUILD=dir   where to build (default build; build-check, build-asan, build-coverage, build-fuzz for the modes)
#   CHECK=1     debug build: -O1, assertions, lock ranks, heap and stack-map verification
#   ASAN=1      address and undefined-behaviour sanitizers
#   COVERAGE=1  counts what the tests execute; see scripts/coverage.py
#   FUZZ=1      libFuzzer targets (clang)
#   CC=clang    another compiler
#   JDK=dir     with `make image`: lay out an image for this JDK 17 or 25
#   PREFIX=dir  with `make install` and `make uninstall` (default /usr/local); DESTDIR=dir stands in front of it

ifdef ASAN
BUILD ?= build-asan
override CMAKE_FLAGS += -DVITRINE_ASAN=ON
else ifdef FUZZ
BUILD ?= build-fuzz
override CMAKE_FLAGS += -DVITRINE_FUZZ=ON -DCMAKE_C_COMPILER=clang
else ifdef COVERAGE
BUILD ?= build-coverage
override CMAKE_FLAGS += -DVITRINE_COVERAGE=ON
else ifdef CHECK
BUILD ?= build-check
override CMAKE_FLAGS += -DVITRINE_CHECK=ON
else
BUILD ?= build
endif
ifneq ($(origin CC),default)
override CMAKE_FLAGS += -DCMAKE_C_COMPILER=$(CC)
endif

# Compiled test programs and HotSpot's outputs are the same for every mode.
ifdef CACHE
override CMAKE_FLAGS += -DVITRINE_TEST_CACHE=$(CACHE)
endif

PREFIX ?= /usr/local
export DESTDIR

.PHONY: all tests run test test-full bench soak endurance programs image install uninstall deb clean
.DEFAULT_GOAL := all

$(BUILD)/build.ninja: CMakeLists.txt cmake/*.cmake tests/CMakeLists.txt
	@command -v cmake >/dev/null && command -v ninja >/dev/null || \
		{ echo "cmake and ninja are needed: ./run.sh installs what is missing" >&2; exit 1; }
	cmake -G Ninja -S . -B $(BUILD) $(CMAKE_FLAGS)
	@touch $@

all: $(BUILD)/build.ninja
	@cmake --build $(BUILD)

# What only the tests need, too: units, test agents, embedders. With FUZZ=1 the fuzz targets and nothing else: it is
# they alone that run in that build.
tests: $(BUILD)/build.ninja
	@cmake --build $(BUILD) --target $(if $(FUZZ),fuzzers,all tests)

# Other people's programs against HotSpot; installs them. ONLY=<regular expression> runs some.
# JDK_TESTS="java/lang/invoke com/sun/jdi": which of the JDK's own tests ONLY=jtreg runs;
# VM_TESTS="vmTestbase/nsk/jvmti": which of HotSpot's ONLY=nsk does.
programs: all
	@python3 scripts/programs.py --build $(BUILD) $(if $(JDK_TESTS)$(VM_TESTS),,--record) $(if $(ONLY),--only '$(ONLY)')

image: all
ifdef JDK
	@scripts/make_image.sh $(JDK) $(BUILD) $(BUILD)/image-$(shell sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' $(JDK)/release)
	@echo $(BUILD)/image-$(shell sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' $(JDK)/release)
endif

run: all
	@python3 scripts/main_job.py $(BUILD)

test:
	@python3 scripts/run_tests.py --build $(BUILD)

test-full:
	@python3 scripts/run_tests.py --build $(BUILD) --full

bench: $(BUILD)/build.ninja
	@cmake --build $(BUILD) --target all bench under_watch
	@python3 bench/run.py --build $(BUILD)

# Hours of load and disturbance; a rise of memory or descriptors fails. SOAK_MINUTES=n (60), SOAK_SEED=n.
# What came of it is a row in docs/programs.md.
soak: tests
	@python3 tests/soak/soak.py --build $(BUILD) --record

# As long as that, random programs and javac under an agent that does things at random, compared with HotSpot.
endurance: tests
	@python3 tests/soak/endurance.py --build $(BUILD) --record

install: all
	@cmake --install $(BUILD) --prefix $(PREFIX) >/dev/null
	@echo "installed in $(DESTDIR)$(PREFIX); vitrine(1) makes JDKs run on it"

# What the last `make install` with this BUILD and PREFIX has installed, and directories that are empty then.
uninstall:
	@packaging/uninstall.sh $(BUILD)/install_manifest.txt $(PREFIX)

deb: all
	@packaging/make_deb.sh $(BUILD)

clean:
	rm -rf build build-check build-asan build-fuzz build-coverage

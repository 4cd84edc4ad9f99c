#!/usr/bin/env bash
# Builds the library and the plug-in with the executable $1 in the jar, and builds the sample project with them: the correct
# variant must pass, the faulty one must fail with a report that says where. Needs Maven and a JDK, 17 or later.
set -euo pipefail

if (($# != 1)) || [[ ! -x $1 ]]; then
    echo "usage: $0 RADDLE, where RADDLE is the executable" >&2
    exit 2
fi
raddle=$(readlink -f "$1")
cd "$(dirname "${BASH_SOURCE[0]}")"

# Not the repository of the user: what is built here is for nobody else. What is fetched stays for the next time.
repository=${XDG_CACHE_HOME:-$HOME/.cache}/raddle/maven
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The jar is to be used, and nothing that happens to be installed.
unset RADDLE

maven() {
    mvn --batch-mode --no-transfer-progress -Dstyle.color=never "-Dmaven.repo.local=$repository" "$@" </dev/null
}

fail() {
    echo "error: $*" >&2
    exit 1
}

# Runs Maven in a copy of the sample, as variant $2: $1 is passes or fails, what follows up to -- must be printed, and the
# rest is for Maven.
sample() {
    local expected=$1 variant=$2 says=() text outcome=passes
    shift 2
    while [[ $1 != -- ]]; do
        says+=("$1")
        shift
    done
    shift
    printf '\n-- %s: mvn %s\n' "$variant" "$*"
    rm -rf "$work/sample"
    cp -R sample "$work/sample"
    rm -rf "$work/sample/target"
    (cd "$work/sample" && maven "-Dvariant=$variant" "$@") >"$work/log" 2>&1 || outcome=fails
    cat "$work/log"
    [[ $outcome == "$expected" ]] || fail "the $variant variant $outcome with mvn $*"
    for text in "${says[@]}"; do
        grep --quiet --fixed-strings -- "$text" "$work/log" || fail "the $variant variant does not say: $text"
    done
}

version=$(sed -n 's:^  <version>\(.*\)</version>$:\1:p' pom.xml)
[[ $("$raddle" -V) == "raddle $version" ]] || fail "pom.xml is of another version than $("$raddle" -V)"

mkdir "$work/bundle"
cp "$raddle" "$work/bundle/raddle"
maven --quiet "-Draddle.bundle=$work/bundle" clean install

# What is in the jar can be started without a build.
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
jar=raddle-junit/target/raddle-junit-$version.jar
[[ $("$java" -jar "$jar" -V) == "raddle $version" ]] || fail "java -jar $jar does not start raddle"

sample passes correct \
    'Tests run: 4, Failures: 0, Errors: 0, Skipped: 0' \
    'com.acme.Cache: nothing found' \
    'pass  com.acme.CacheTest#countsWhatTwoThreadsPut' \
    -- verify

# Both tests that ask Raddle fail, each with what its threads did.
sample fails faulty \
    'Tests run: 4, Failures: 2, Errors: 0, Skipped: 0' \
    'FAIL  com.acme.CacheTest#countsWhatTwoThreadsPut' \
    'wrong result   com.acme.Cache' \
    'a.put(' \
    'Cache.java:17' \
    'raddle replay target/raddle/test/com.acme.CacheTest-countsWhatTwoThreadsPut.json' \
    -- verify

sample fails faulty \
    'wrong result   com.acme.Cache' \
    'a.put(' \
    'Raddle found violations, see above or target/raddle/hunt.txt' \
    -- verify -DskipTests

sample fails faulty \
    'FAIL  com.acme.CacheTest#countsWhatTwoThreadsPut' \
    'Raddle found violations, see above or target/raddle/test.txt' \
    -- test-compile raddle:test -Draddle.schedules=500 -Draddle.budget=5m

# The fault is of another kind than those that the build is to fail on.
sample passes faulty 'com.acme.Cache: nothing found' \
    -- compile raddle:hunt -Draddle.patterns=com.acme.Cache -Draddle.failOn=deadlock -Draddle.maxPlans=20 -Draddle.budget=5m
sample passes faulty 'Raddle found violations, see above or target/raddle/hunt.txt' \
    -- compile raddle:hunt -Draddle.patterns=com.acme.Cache -Draddle.failOn=none -Draddle.maxPlans=20 -Draddle.budget=5m

# A module with nothing that threads share does not fail for that.
sample passes plain 'looks meant to be shared' -- compile raddle:hunt

sample fails correct 'no class com.acme.Cash' -- compile raddle:hunt -Draddle.patterns=com.acme.Cash
sample fails correct 'which is no program that can be run' -- test -Draddle.executable=/nowhere/raddle

printf '\n-- the sample is judged as it should be\n'

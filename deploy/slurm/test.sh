#!/usr/bin/env bash
# Tries deploy/slurm/raddle.sbatch with the executable $1 on a real Slurm: a controller and two nodes on this machine, with
# files of their own that are gone in the end. Four tasks hunt a part each, one of them is put back into the queue in the middle,
# and the merged result must be that of a hunt without parts. Needs to be root, a JDK, and on Debian the packages slurmctld,
# slurmd, slurm-client and munge.
set -euo pipefail

if (($# != 1)) || [[ ! -x $1 ]]; then
    echo "usage: $0 RADDLE, where RADDLE is the executable" >&2
    exit 2
fi
RADDLE=$(readlink -f "$1")
export RADDLE
sbatch_file=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/raddle.sbatch")
for tool in munged slurmctld slurmd sbatch javac; do
    command -v "$tool" >/dev/null || {
        echo "error: $tool is missing; install slurmctld, slurmd, slurm-client, munge and a JDK" >&2
        exit 2
    }
done

work=$(mktemp -d)
daemons=()
finish() {
    code=$?
    if ((code != 0)); then
        tail -n 20 "$work"/*.log "$work"/project/*.log >&2 2>/dev/null || true
    fi
    if ((${#daemons[@]} > 0)); then
        kill "${daemons[@]}" 2>/dev/null || true
        wait "${daemons[@]}" 2>/dev/null || true
    fi
    rm -rf "$work"
}
trap finish EXIT

# Starts a daemon in the foreground of its own, so that it can be ended by its id.
start() {
    "$@" >>"$work/daemons.log" 2>&1 &
    daemons+=($!)
}

# Tries a command until it succeeds.
until_ok() {
    local tries=0
    until "$@" >/dev/null 2>&1; do
        if ((++tries > 600)); then
            echo "error: $* does not succeed" >&2
            exit 1
        fi
        sleep 0.5
    done
}

fail() {
    echo "error: $*" >&2
    exit 1
}

# A key and a socket of its own: a munge that this machine may have is left alone.
chmod 0711 "$work"
(umask 077 && head -c 1024 /dev/urandom >"$work/munge.key")
start munged --foreground --force --key-file="$work/munge.key" --socket="$work/munge.socket" \
    --pid-file="$work/munge.pid" --log-file="$work/munge.log" --seed-file="$work/munge.seed"
until_ok test -S "$work/munge.socket"

host=$(hostname -s)
export SLURM_CONF=$work/slurm.conf
mkdir "$work/state" "$work/project"
# No cgroups and no accounting: a container has no right to the former, and nobody needs the latter here. Both nodes are this
# machine, and each may believe that it is all theirs.
cat >"$SLURM_CONF" <<CONF
ClusterName=raddle
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool-%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd-%n.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd-%n.log
SlurmctldPort=16817
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
NodeName=n[1-2] NodeHostname=$host NodeAddr=127.0.0.1 Port=[16818-16819] CPUs=2 RealMemory=8000 State=UNKNOWN
PartitionName=main Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
CONF
mkdir "$work/spool-n1" "$work/spool-n2"
start slurmctld -D
start slurmd -D -N n1
start slurmd -D -N n2
both_idle() {
    [[ $(sinfo --noheader --Node --format=%T | sort | uniq -c | xargs) == "2 idle" ]]
}
until_ok both_idle
echo "-- $(sinfo --version), $("$RADDLE" --version), $(date --utc +%Y-%m-%d)"
sinfo --Node --long | tail -n +2

# Seven small classes, six of them with a fault.
cd "$work/project"
mkdir -p source/shop
for name in Cash Desk Gate Lift Ramp Till; do
    printf 'package shop; public class %s { private volatile int sum; public int add() { return sum++; } }\n' "$name" \
        >"source/shop/$name.java"
done
printf 'package shop; public class Bell { private int sum; public synchronized int ring() { return sum++; } }\n' \
    >source/shop/Bell.java
javac -d classes source/shop/*.java
hunt=(-cp classes 'shop.*' --max-plans 20 --budget 1h --no-confirm)

# Every finding by class and id, in the folder $1.
findings() {
    (cd "$1" && find . -mindepth 3 -maxdepth 3 -path './shop.*/findings/*' | sort)
}

printf '\n-- in one piece: raddle hunt %s\n' "${hunt[*]}"
whole=0
"$RADDLE" hunt "${hunt[@]}" --jobs 1 --out whole >whole.txt 2>&1 || whole=$?
tail -n 1 whole.txt

printf '\n-- in four parts: sbatch --array=1-4 raddle.sbatch %s\n' "${hunt[*]}"
job=$(sbatch --parsable --array=1-4 "$sbatch_file" "${hunt[@]}")
# The second part has two classes. It is taken from its node when it has found something in the first.
has_finding() {
    grep --quiet --no-messages '"event":"finding"' raddle-out/shard-2-of-4/shop.*/events.jsonl
}
until_ok has_finding
scontrol requeue "${job}_2"
echo "task 2 was put back into the queue after: $(grep --no-filename --only-matching '"event":"finding","id":"[^"]*"' \
    raddle-out/shard-2-of-4/shop.*/events.jsonl | head -n 1)"
# Slurm waits two minutes with what was put back.
until_ok scontrol update "JobId=${job}_2" StartTime=now
is_over() {
    [[ -z $(squeue --noheader) ]]
}
until_ok is_over
tasks=$(scontrol show job "$job" |
    grep -E --only-matching 'ArrayTaskId=[0-9]+|JobState=[A-Z]+|Restarts=[0-9]+|ExitCode=[0-9:]+|\bNodeList=\S+' |
    paste -d ' ' - - - - - | sort)
echo "$tasks"
grep --quiet 'ArrayTaskId=2 .*Restarts=1 ' <<<"$tasks" || fail "task 2 was not started again"

printf '\n-- raddle merge raddle-out --output merged\n'
merged=0
"$RADDLE" merge raddle-out --output merged || merged=$?
((merged == whole)) || fail "the merged hunt ends with $merged, that in one piece with $whole"
diff <(findings whole) <(findings merged) || fail "the findings differ"
printf '\n-- the same: exit code %s, %s findings by class and id\n' "$merged" "$(findings merged | wc -l)"

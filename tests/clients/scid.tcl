# Drives a running Scid from a second Tk program: loads the engine, lets it analyse two positions,
# changes the number of lines while it runs, stops it.
# Usage: wish scid.tcl ENGINE; exits with 3 when Scid itself does not come up.

wm withdraw .

set scid ""

proc scid {args} { return [send $::scid $args] }

proc fail {why} {
    puts "FAILED: $why"
    catch { send -async $::scid {exit} }
    exit [expr {[info exists ::up] ? 1 : 3}]
}

# Waits until the condition holds.
proc until {what condition} {
    set end [expr {[clock seconds] + 60}]
    while {[clock seconds] < $end} {
        if {![catch { uplevel #0 [list expr $condition] } result] && $result} {
            puts "ok: $what"
            return
        }
        after 200
        update
    }
    fail "$what: waited in vain"
}

proc find_scid {} {
    set ::scid [lindex [lsearch -all -inline [winfo interps] *scid*] 0]
    # The evaluation bar of the main window is one of the last things that Scid sets up.
    return [expr {$::scid ne "" && [scid info exists ::showEvalBar(.main)]}]
}

proc state {} { return [scid set ::enginewin::engState(1)] }

# Scid stops an analysis to change an option and leaves it to the user to go on.
proc runs {} {
    if {[state] eq "idle"} { scid ::enginewin::start 1 Ferz }
    return [expr {[state] eq "run"}]
}

proc shown {} {
    return [split [string trim [scid .engineWin1.display.pv.lines get 1.0 end]] "\n"]
}

until "Scid runs" {[find_scid]}
set up 1
set config [list Ferz [lindex $argv 0] {} . 0 0 {} 1 {}]
scid ::enginecfg::add $config
catch { scid ::enginewin::Open 1 Ferz }
scid ::enginewin::connectEngine 1 $config
until "the engine is loaded" {[state] in {idle run}}
until "it analyses" {[runs] && [regexp {1\.} [lindex [shown] 0]]}

scid sc_move addUCI e2e4
scid ::notify::PosChanged
until "it analyses the next position" {[regexp {1\.\.\.} [lindex [shown] 0]]}

scid ::engine::send 1 SetOptions {{MultiPV 3}}
until "it takes an option" {[runs]}
scid sc_move addUCI e7e5
scid ::notify::PosChanged
until "it shows three lines" {
    [runs] && [llength [shown]] == 3 && [llength [lsearch -all -regexp [shown] {2\.}]] == 3
}

catch { scid ::enginewin::stop 1 }
until "it stops" {[state] eq "idle"}
until "it lives" {[scid ::engine::pid 1] ne ""}
catch { send -async $scid {exit} }
puts "PASSED"
exit 0

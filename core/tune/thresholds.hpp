// The numbers that the inner loops are compiled with: sizes of blocks, distances to fetch ahead, shares for threads.
// Included by files that are compiled for several instruction sets: constants only. What is measured in bytes is a part
// or a multiple of the first cache, lines or pages, of the least that machines have; docs/benchmark.md has the figures
// that chose it. Limits that follow from the machine itself stand in machine.hpp.
#pragma once

#include <stdint.h>

namespace wherry::tune {

// The machine.
constexpr int64_t kLine = 64;                       // bytes of a cache line; a few AArch64 have twice as many
constexpr int64_t kPage = 4096;                     // bytes of a page: the hardware's own fetching ends with it
constexpr int64_t kFirstCache = 32 * 1024;          // bytes, of one core: no common one has less
constexpr int64_t kFirstCacheStep = 4096;           // bytes; lines so far apart share one set of the first cache
constexpr int64_t kFewBytes = kFirstCache;          // of a result that a call makes in the first way that does, and
constexpr int64_t kFewIndices = 256;                // so many of its indices: to find the best takes 50 ns
constexpr int64_t kOwnCopy = 1024;                  // bytes of a run that memcpy may leave to an instruction
constexpr int64_t kReleaseBytes = 2 * kFirstCache;  // that are worth the 0.05 us of giving up Python's lock
constexpr int64_t kCopiedResult = 4 * 1024 * 1024;  // bytes of a result copied as soon as its own plan is made
constexpr int64_t kIndicesOverElements = 4;         // times the bytes: sooner a second copy than a look at all indices
constexpr int64_t kAskBytes = 16 * 1024 * 1024;     // that one core moves in some 5 ms: then a signal may be looked for
constexpr int kAskMilliseconds = 20;                // between two looks, each of which takes Python's lock
constexpr int64_t kHugePagesBytes = 4 * 1024 * 1024;  // two huge pages of x86: one lies wholly in such a buffer
constexpr int64_t kReferencesAhead = 16;              // objects that are fetched while others are counted
constexpr int64_t kStringBlock = 16;                  // strings that are asked for before the first of them is read
constexpr int kSpins = 1000;                          // looks, 10 us, before a caller sleeps until its helpers are done
constexpr int kLooks = 100;                           // 10 us apart, whether a helper stands still, before that
constexpr int kHelperSpins = 50'000;                  // looks, 0.5 ms, before a helper sleeps; to wake it takes 50 us

// Streaming: writing whole lines around the cache. On AArch64 that is a hint, and many processors see by themselves
// that whole lines are written: these limits may be others there, where none of them was measured.
constexpr int64_t kStreamRow = 4 * 1024;                // bytes of a row of computed elements
constexpr int64_t kStreamRun = 4 * kLine;               // bytes of a run,
constexpr int64_t kStreamFollowingRun = kLine / 2 * 3;  // and of one of those that follow each other in the output

// Tasks: what one thread does before it asks for more.
constexpr int64_t kTaskBytes = 2 * kFirstCache;        // of an output
constexpr int64_t kThinTaskBytes = kFirstCache / 2;    // of an output with few rows or columns
constexpr int64_t kTaskElements = 16 * 1024;           // computed
constexpr int64_t kShortRow = 64;                      // elements: of fewer, several rows are computed at once
constexpr int64_t kTaskIndices = 16 * 1024;            // used and not kept, or checked;
constexpr int64_t kCheckedIndices = 4 * kTaskIndices;  // checked where there are many: longer parts are read faster
constexpr int64_t kLookupIndices = 8 * 1024;           // looked up in a table of 256 slots
constexpr int64_t kSearchElements = 32 * 1024;         // looked at by NonZero
constexpr int64_t kIndexedBytes = 8;                   // that a copy moves in the time that an index takes
constexpr int64_t kTasks = 16;                         // at least, so that threads get equal shares
constexpr int64_t kScatterApart = 8 * kLine;           // bytes of target: threads that are nearer share lines
constexpr int64_t kScatterThreads = 8;                 // that look at all indices; more are hardly faster
constexpr int64_t kScatterManyBytes = kLine;           // that one index moves: any number of threads may look

// Updates of a scatter that are parted by where they go.
constexpr int64_t kPartitionUpdates = 64 * 1024;       // or more of them
constexpr int64_t kPartitionThreads = 5;               // or more; fewer where elements are in no cache,
constexpr int64_t kPartitionShare = 3;                 // and so many updates that wait go to a line
constexpr int64_t kPartitionChunk = 8 * 1024;          // updates of a chunk; their offsets take a first cache
constexpr int64_t kPartitionBuckets = 256;             // at most: of each a line is in the first cache
constexpr int64_t kPartitionBytes = 32 * 1024 * 1024;  // of pairs that wait, or as many as the target has

// Unique.
constexpr int64_t kUniquePiece = 8 * 1024;   // elements that one task reads
constexpr int64_t kUniqueTable = 8 * 1024;   // values, of whose counts threads have tables of their own
constexpr int64_t kUniqueAtOnce = 8 * 1024;  // elements; fewer are sorted in one part
constexpr int64_t kUniqueInserted = 24;      // elements; more are parted by their upper bits, so that in the mean
constexpr int64_t kUniqueTogether = 8;       // elements share these

// Blocks: what is resolved or put together at once, in the first cache.
constexpr int64_t kIndexBlock = kFirstCache / 16;  // indices; their offsets take half of the first cache
constexpr int64_t kReadAgain = 512;                // that are sooner read again for each row than offsets are kept
constexpr int64_t kPassIndices = 256;              // whose lines several passes share
constexpr int64_t kTurnedIndices = 64 * 1024;      // for which rows are put together before they are turned
constexpr int64_t kPassBytes = kFirstCache / 2;    // of output, for one block of indices
constexpr int64_t kShortIndexRow = 512;            // indices of a row; a longer one is worth a call,
constexpr int64_t kShortIndexRowFar = 128;         // and so are these, where rows of data are fetched ahead
constexpr int64_t kGatherColumns = 2;              // indices of rows that are so short that columns are walked,
constexpr int64_t kScatterColumns = 4;             // the same of a scatter,
constexpr int64_t kNamedTogether = 256;            // of so many rows at a time, which the cache keeps
constexpr int64_t kQueueIndices = 1024;            // of a scatter that wait for their elements
constexpr int64_t kReplaceRows = 512;              // that are gathered from two sources at once
constexpr int64_t kMarks = 2048;                   // elements whose marks are looked at together

// Stages: where bytes of a streamed output are put together, to leave as whole lines.
constexpr int64_t kStageBytes = kFirstCache / 8;      // of one piece; larger ones keep reading and writing apart
constexpr int64_t kRowStageBytes = kStageBytes / 4;   // the same of elements that are picked from a row
constexpr int64_t kMostStageBytes = 2 * kStageBytes;  // of the longest piece
constexpr int64_t kTransposeStage = kFirstCache / 2;  // bytes of a tile's rows
constexpr int64_t kTogetherStage = 2 * kFirstCache;   // bytes of a tile's rows that follow each other
constexpr int64_t kConvertStage = 1024;               // elements
constexpr int64_t kPartStage = 256;                   // of each of several parts by turns
constexpr int64_t kConvertAligned = 1024;             // elements, of which those before the first line go alone
constexpr int64_t kFloatStage = 512;                  // floats between two conversions
constexpr int64_t kCalculateStage = 512;              // elements of each operand; more where all are narrow
constexpr int64_t kLookupStage = 4096;                // runs

// Tiles of a transposition.
constexpr int64_t kTileBytes = 4 * 1024;             // of one walk along src: its first lines are not fetched ahead
constexpr int64_t kByteTileRows = 1024;              // the same of single bytes, which take more columns at once
constexpr int64_t kTileRowBytes = 4 * kLine;         // of dst
constexpr int64_t kStreamTileRowBytes = 16 * kLine;  // of dst, streamed, from short rows of src
constexpr int64_t kShortRowBytes = 1024;             // of such rows
constexpr int64_t kAlignedTiles = 8;                 // along src; before more the first is moved in part, then again
constexpr int64_t kLeastTile = 16;                   // rows and columns
constexpr int64_t kFewOfTile = 17;                   // elements; of up to four bytes twice as many
constexpr int64_t kLongerAxis = 4;                   // times as long, with which so few had better be
constexpr int64_t kByteRows = 192;                   // of a matrix of bytes, from which on its tiles are as wide as
constexpr int64_t kByteColumns = 192;                // there is room for a line of each column,
constexpr int64_t kStreamByteColumns = 64;           // and streamed from so many columns on
constexpr int64_t kByteStep = kFirstCacheStep / 8;   // bytes; 64 columns so far apart share eight sets

// Patterns: vectors that are put together of what lies close in src.
constexpr int64_t kPatternCopy = 4096;              // of a copy that may be made of them, or copies of channels
constexpr int64_t kPatternGroups = 6;               // elements for each unit of a group, whose places are looked for
constexpr int64_t kPatternRow = 192;                // bytes of a row of dst times windows of a vector of a line,
constexpr int64_t kPatternTileRows = 3;             // where src has fewer elements together, any windows of rows
constexpr int64_t kPatternRowApart = 128;           // of so many bytes are faster than single moves
constexpr int64_t kPatternRuns = 48;                // bytes, the same of a run: a window has some runs of a vector
constexpr int64_t kMostPatternWindows = 12;         // of any vector
constexpr int64_t kPatternBackwards = 40;           // bytes; longer rows backwards have shuffles of their own,
constexpr int64_t kPatternStill = 224;              // and rows of one element, from so many on, fills
constexpr int64_t kPatternChannels = 3;             // vectors; rows of more, of two to four channels, have them too
constexpr int64_t kWholePeriod = 16;                // bytes; of shorter periods that fill a vector others are no slower
constexpr int64_t kMostPatternPeriod = 1024;        // bytes of dst
constexpr int64_t kLeastPatternGroup = 256;         // bytes of dst whose places are kept,
constexpr int64_t kWholePatternGroup = 1024;        // of whole vectors, if it has no more than these,
constexpr int64_t kMostPatternGroup = kStageBytes;  // by at most so many steps, which with what is moved must stay in
constexpr int64_t kMostPatternSteps = 256;          // the first cache

// Tiles of permutations of several axes. Some lines of each row and column let the hardware fetch by itself; tiles of
// all of them stay in the second cache, twice: one is moved while the next is fetched.
constexpr int64_t kMostSquareElement = 16;        // bytes, that squares in registers are made of
constexpr int64_t kLeastAhead = 2;                // bytes of elements whose columns are fetched ahead of squares,
constexpr int64_t kLeastAheadCut = 4;             // the same where rows are cut where lines begin in each;
constexpr int64_t kMostAheadColumns = 64;         // beside each other, but where rows are cut: more are slower by half
constexpr int64_t kDirectRow = 8 * kLine;         // bytes of rows whose ends may be parts of lines
constexpr int64_t kTiledRow = 4 * kLine;          // bytes of dst
constexpr int64_t kTiledCutColumns = 128;         // of rows that are cut where lines begin: some columns are read twice
constexpr int64_t kMostSharedElement = 2;         // bytes; pieces of a row of such elements follow each other
constexpr int64_t kRepeatedRow = 2 * kLine;       // bytes of dst from one element of src, which is repeated instead
constexpr int64_t kTiledChain = 32 * kLine;       // bytes of dst: fewer in a row go on with those which follow them
constexpr int64_t kTiledColumn = 32 * kLine;      // bytes of src, or fewer, so that a tile has
constexpr int64_t kTiledBytes = 4 * kFirstCache;  // these bytes,
constexpr int64_t kLeastTiledColumn = 4 * kLine;  // but no fewer than these
constexpr int64_t kTiledRunRow = 32 * kLine;      // bytes of dst, of runs that are shorter than kStreamRun,
constexpr int64_t kTiledLongRun = 8 * kLine;      // or, where they come from memory, no longer than this
constexpr int64_t kPlacedBytes = 3 * kLine;       // of a column of them, which are placed at once
constexpr int64_t kMostPlacedRows = 4;            // in rows beside each other
constexpr int64_t kFarColumn =
    512 * 1024;  // bytes from a column to the next: soon each lies in a huge page of its own,
constexpr int64_t kTiledFarRow = 2 * kLine;       // of which the first table of pages knows few
constexpr int64_t kMostShortFarRow = 24 * kLine;  // bytes of rows of dst that are better read of many such columns

// Long tiles of them: of one line of each row, and of long columns, so that many rows are written by turns.
constexpr int64_t kLongTileElement = 4;           // bytes; elements of half as many have them too,
constexpr int64_t kLeastLongTileRow = 8 * kLine;  // where so many bytes of dst lie along one axis
constexpr int64_t kLinesInTurn = 8 * kLine;       // bytes; lines that lie a multiple of it apart wait for each other
constexpr int64_t kLongTileAhead = 4 * kLine;     // bytes of columns of pages that are fetched ahead of squares

// The same of tiles that wait in the second cache until the next one is put together, see WaitingTile.
constexpr int64_t kWaitingRow = 8 * kLine;          // bytes of dst
constexpr int64_t kWaitingBytes = 2 * kFirstCache;  // of a tile,
constexpr int64_t kWaitingRoom = 4 * kFirstCache;   // whose rows may be half as long again, and lie a line apart

// Memory that is kept when results are let go. What malloc takes from the system by itself, and gives back each time,
// begins with the least.
constexpr int64_t kLeastKeptBytes = 128 * 1024;  // of a buffer
constexpr int64_t kWastedPart = 8;               // the part of a buffer that may be wasted

// Fetching ahead.
constexpr int64_t kPageAhead = kPage;          // bytes: indices, rows that are computed with, short rows
constexpr int64_t kFarSamples = 16;            // offsets that tell whether they lie far from each other,
constexpr int64_t kRepeatSamples = 128;        // and whether they are few that come again
constexpr int64_t kGatherAhead = 128;          // offsets
constexpr int64_t kNamedAhead = 192;           // elements that indices name,
constexpr int64_t kNamedRunsAhead = 128;       // and runs of more than 16 bytes, that may lie in two lines
constexpr int64_t kRunBytesAhead = 4 * 1024;   // of scattered runs that are written through the cache,
constexpr int64_t kFetchedRunBytes = 512;      // and of each, but where the machine gains by whole ones
constexpr int64_t kFetchedPiece = 1024;        // of a run that is fetched piece by piece,
constexpr int64_t kFetchedFurther = 6 * 1024;  // so many before they are copied,
constexpr int64_t kLongRun = kFetchedFurther;  // and of the shortest runs of which the next one is enough to know
constexpr int64_t kLeastRunsAhead = 8, kMostRunsAhead = 64;
constexpr int64_t kRowIndices = 64;              // for which the next row is fetched at a time
constexpr int64_t kShortSourceRow = 8 * kLine;   // bytes of rows that the hardware fetches by itself
constexpr int64_t kFollowedSources = 12;         // that the hardware fetches at a time, each in order
constexpr int64_t kStreamedParts = 4;            // of a long run, copied by turns,
constexpr int64_t kPartsElement = 6;             // or computed of elements that have as many bytes with their results
constexpr int64_t kCopiedRunBytes = 1024;        // of runs of a copy that are fetched,
constexpr int64_t kCopiedRunsAhead = 8;          // so many ahead, times the runs that there is room for between two of
constexpr int64_t kMostRunsApart = 4;            // them where they come from memory,
constexpr int64_t kCopiedBytesAhead = 8192;      // or as many as have so many bytes
constexpr int64_t kWrittenRunsAhead = 4;         // of a copy whose written lines are fetched
constexpr int64_t kStagedBytesAhead = 6 * 1024;  // of runs from memory that are put together in a stage
constexpr int64_t kPlanesAhead = 6 * 1024;       // bytes of short rows that are parted into planes
constexpr int64_t kTurnsAhead = 8 * 1024;        // bytes of a source whose rows go to several places by turns
constexpr int64_t kTransposeAhead = 3 * kLine;   // bytes of each column of a tile
constexpr int64_t kBytesAhead = 2 * kLine;       // the same of single bytes
constexpr int64_t kColumnsAhead = 32;            // columns of rows of at most kShortRowBytes
constexpr int64_t kScatterAhead = 64;            // updates that wait,
constexpr int64_t kScatterNamedAhead = 128;      // and those that do not

// Short ways that pay from so much on.
constexpr int64_t kJoinedRow = 24;                     // indices; shorter rows are joined,
constexpr int64_t kJoinedRowFar = 1024;                // and these, where each has runs in memory for itself
constexpr int64_t kLeastLookup = 2048;                 // indices; a table takes as long as moving that many runs
constexpr int64_t kTurnBytes = kFirstCache / 8;        // of rows that go to several places by turns, at once
constexpr int64_t kSliceBytes = 2 * kFirstCache;       // of a group, written for one slice
constexpr int64_t kLeastBandRow = 2 * kLine;           // bytes; shorter rows take too many calls
constexpr int64_t kMostBandRow = kMostStageBytes;      // bytes; longer rows share few lines
constexpr int64_t kBandBytes = kFirstCache / 4;        // of rows that are written to the output itself
constexpr int64_t kBandStage = kStageBytes / 8 * 5;    // the same where rows leave the cache
constexpr int64_t kReplaceRowBytes = kLine;            // of a row that is replaced in one pass
constexpr int64_t kReplaceUpdates = 16;                // rows for each update; with fewer updates a copy wastes little
constexpr int64_t kReplaceMostRows = 2 * 1024 * 1024;  // whose notes, 4 bytes each, are kept
constexpr int64_t kPatternBytes = 1024;                // of a pattern of odd elements to fill with
constexpr int64_t kNarrowColumns = 8, kNarrowRows = 64;  // of a block that is moved column by column

// The bytes of the longest runs that are fetched from end to end. Where it pays at all for some of several pages, the
// hardware is ahead by itself only after a few of these.
constexpr int64_t most_fetched(int64_t fetch) { return fetch >= kPage ? 3 * fetch : fetch; }

}  // namespace wherry::tune

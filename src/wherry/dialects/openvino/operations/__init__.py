"""The rows of OpenVINO's operations, one file a family."""
